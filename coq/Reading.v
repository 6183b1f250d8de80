(* Reading a formula with values in the place of counts: what is read is what the formula means. *)
From Coq Require Import Reals ZArith QArith Qreals List Bool Lra Lia.
From Goodmeasure Require Import Tree Polynomials Signs Fractions.
Import ListNotations.
Local Open Scope R_scope.

(* Unknown: the sign of one of these polynomials would decide how the formula goes on. *)
Inductive outcome := Known (x : fraction) | Nothing | Unknown (about : list poly).

Definition fuel := 6%nat.
(* Functions are used with care here: their arguments are computed, whether they are needed or not. *)
Definition known (x : option fraction) : outcome := match x with Some y => Known y | None => Unknown [] end.
Definition both (a b : outcome) (f : fraction -> fraction -> outcome) : outcome :=
  match a, b with
  | Nothing, _ | _, Nothing => Nothing
  | Known x, Known y => f x y
  | Unknown s, Unknown t => Unknown (s ++ t)
  | Unknown s, _ | _, Unknown s => Unknown s
  end.
(* Whether a test holds for all, for none, or for some of the signs of the difference of both sides *)
Definition holds (t : comparing) (c : comparison) : bool :=
  match t, c with Equal, Eq | Less, Lt | AtMost, Lt | AtMost, Eq => true | _, _ => false end.
Definition verdict (t : comparing) (s : signs) : option bool :=
  if every (holds t) s then Some true else if every (fun c => negb (holds t c)) s then Some false else None.

(* Of two equal values always the same one is taken, in whatever order they come. *)
Definition first_if_equal (s : signs) (x y : fraction) : fraction :=
  match s with [Eq] => match pcmp (above x) (above y) with Lt => x | _ => y end | _ => x end.

Section Read.
  Variable whole : context.
  Variable cells : nat -> outcome.

  Definition angle (f : fraction -> option fraction) (a : outcome) : outcome :=
    match a with
    | Known x =>
        let s := compared fuel whole x unit in let t := compared fuel whole x (opp unit) in
        if every (fun c => match c with Gt => false | _ => true end) s <&> every (fun c => match c with Lt => false | _ => true end) t
        then known (f x)
        else match s, t with
             | [Gt], _ | _, [Lt] => Nothing
             | _, _ => Unknown (unknown_comparison fuel whole x unit ++ unknown_comparison fuel whole x (opp unit))
             end
    | r => r
    end.
  Fixpoint read (done : list outcome) (e : expr) : outcome :=
    let two a b f := both (read done a) (read done b) f in
    match e with
    | Const p q => Known (simplified (number p q))
    | Cell k => cells k
    | Ref k => nth k done Nothing
    | Add a b => two a b (fun x y => known (add x y))
    | Sub a b => two a b (fun x y => known (sub x y))
    | Mul a b => two a b (fun x y => Known (mul x y))
    | Min a b => two a b (fun x y => let s := compared fuel whole x y in
        match verdict AtMost s with
        | Some b => Known (if b then first_if_equal s x y else y) | None => Unknown (unknown_comparison fuel whole x y)
        end)
    | Max a b => two a b (fun x y => let s := compared fuel whole x y in
        match verdict AtMost s with
        | Some b => Known (if b then first_if_equal s y x else x) | None => Unknown (unknown_comparison fuel whole x y)
        end)
    | Div a b rule => two a b (fun x y =>
        match sign fuel whole (above y) with
        | [Eq] => read done rule
        | _ => match inverse fuel whole y with
               | Some z => Known (mul x z) | None => Unknown (unknown fuel whole (above y))
               end
        end)
    | Root d a =>
        match read done a with
        | Known x => match sign fuel whole (above x) with
                     | [Lt] => Nothing
                     | _ => match root_of_fraction fuel whole d x with
                            | Some y => Known y | None => Unknown (unknown fuel whole (above x))
                            end
                     end
        | r => r
        end
    | Log a =>
        match read done a with
        | Known x => if every (fun c => match c with Gt => false | _ => true end) (sign fuel whole (above x)) then Nothing
                     else match log_of_fraction fuel whole x with
                          | Some y => Known y | None => Unknown (unknown fuel whole (above x))
                          end
        | r => r
        end
    | Exp a => match read done a with Known x => known (exp_of_fraction x) | r => r end
    | Arccos a => angle arccos_of_fraction (read done a)
    | Arcsin a => angle arcsin_of_fraction (read done a)
    | Pi => Known (Fraction (single (Of Circle [] [])) 1 [])
    | If t a b x y =>
        match read done a, read done b with
        | Known p, Known q =>
            match verdict t (compared fuel whole p q) with
            | Some true => read done x | Some false => read done y | None => Unknown (unknown_comparison fuel whole p q)
            end
        | Nothing, _ | _, Nothing => read done y
        | Unknown s, Unknown t => Unknown (s ++ t)
        | Unknown s, _ | _, Unknown s => Unknown s
        end
    | IfDefined a x y => match read done a with Known _ => read done x | Nothing => read done y | r => r end
    | Undefined => Nothing
    end.
  Definition read_all (f : formulas) : list outcome := fold_left (fun done e => done ++ [read done e]) f [].
  Definition read_measure (f : formulas) : outcome := last (read_all f) Nothing.
End Read.

Definition means (v : nat -> R) (r : outcome) (x : option R) : Prop :=
  match r with Known a => x = Some (fraction_value v a) /\ sound v a | Nothing => x = None | Unknown _ => True end.

Lemma decide_ok : forall t c x y, sign_is c (x - y) -> decide t x y = holds t c.
Proof.
  intros t c x y H. unfold decide. destruct t, c; simpl in H;
    try destruct (Req_EM_T x y); try destruct (Rlt_dec x y); try destruct (Rle_dec x y); auto; lra.
Qed.
Lemma verdict_ok : forall t s x y b, among s (x - y) -> verdict t s = Some b -> decide t x y = b.
Proof.
  intros t s x y b (c & J & S) V. rewrite (decide_ok t c x y S). unfold verdict in V.
  destruct (every (holds t) s) eqn:A. { injection V as <-. rewrite every_forall in A. auto. }
  destruct (every (fun c => negb (holds t c)) s) eqn:B; [|discriminate]. injection V as <-.
  rewrite every_forall in B. specialize (B c J). destruct (holds t c); [discriminate | auto].
Qed.
Lemma known_ok : forall v o x, (forall y, o = Some y -> x = Some (fraction_value v y) /\ sound v y) -> means v (known o) x.
Proof. intros v [y|] x H; simpl; auto. Qed.
Lemma both_ok : forall v a b f x y g, means v a x -> means v b y ->
  (forall p q, x = Some (fraction_value v p) -> sound v p -> y = Some (fraction_value v q) -> sound v q ->
    means v (f p q) (g (fraction_value v p) (fraction_value v q))) ->
  means v (both a b f) (bind x (fun u => bind y (fun w => g u w))).
Proof.
  intros v a b f x y g A B F. destruct a as [p| |s], b as [q| |t]; simpl in *; auto.
  - destruct A as [A1 A2], B as [B1 B2]. subst. simpl. auto.
  - subst. destruct A as [A1 A2]. subst. auto.
  - subst. auto.
  - subst. auto.
  - subst. auto.
  - subst. destruct x; auto.
Qed.

Section ReadOk.
  Variable whole : context.
  Variable cells : nat -> outcome.
  Variable v : nat -> R.
  Variable c : nat -> R.
  Hypothesis G : good whole v.
  Hypothesis C : forall k, means v (cells k) (Some (c k)).

  Lemma angle_ok : forall f g a x, means v a x ->
    (forall p y, sound v p -> f p = Some y -> fraction_value v y = g (fraction_value v p) /\ sound v y) ->
    means v (angle whole f a) (bind x (fun u => if Rlt_dec 1 (Rabs u) then None else Some (g u))).
  Proof.
    intros f g a x A F. destruct a as [p| |s]; simpl in A; [| subst; reflexivity | exact I].
    destruct A as [-> P]. cbn [angle bind]. cbv zeta. destruct (unit_ok v) as [U1 U2]. destruct (opp_ok v unit U2) as [O1 O2].
    pose proof (compared_ok whole v G fuel p unit P U2) as S. pose proof (compared_ok whole v G fuel p (opp unit) P O2) as T.
    rewrite U1 in S. rewrite O1, U1 in T. destruct S as (s & IS & S), T as (t & IT & T).
    destruct (every _ (compared fuel whole p unit) <&> every _ (compared fuel whole p (opp unit))) eqn:B.
    - apply both_true in B as [B1 B2]. rewrite every_forall in B1, B2. specialize (B1 s IS). specialize (B2 t IT).
      assert (Rabs (fraction_value v p) <= 1).
      { apply Rabs_le. destruct s, t; try discriminate; unfold sign_is in *; lra. }
      destruct (Rlt_dec 1 (Rabs (fraction_value v p))); [lra|]. apply known_ok. intros y Y.
      destruct (F p y P Y) as [F1 F2]. rewrite F1. auto.
    - assert (D : (s = Gt \/ t = Lt) -> means v Nothing (if Rlt_dec 1 (Rabs (fraction_value v p)) then None else Some (g (fraction_value v p)))).
      { intros K. destruct (Rlt_dec 1 (Rabs (fraction_value v p))) as [|N]; [reflexivity|]. exfalso. apply N.
        destruct K; subst; unfold sign_is in *; [rewrite Rabs_right | rewrite Rabs_left]; lra. }
      destruct (compared fuel whole p unit) as [|[| |] [|]]; destruct (compared fuel whole p (opp unit)) as [|[| |] [|]];
        try exact I; apply D; try (destruct IS as [<-|[]]; auto; fail); try (destruct IT as [<-|[]]; auto).
  Qed.

  Lemma first_if_equal_ok : forall s x y, sound v x -> sound v y -> among s (fraction_value v x - fraction_value v y) ->
    fraction_value v (first_if_equal s x y) = fraction_value v x /\ sound v (first_if_equal s x y).
  Proof.
    intros s x y X Y (o & J & S). destruct s as [|[| |] [|]]; auto. destruct J as [<-|[]]. unfold sign_is in S.
    cbn [first_if_equal]. destruct (pcmp (above x) (above y)); split; auto; lra.
  Qed.
  Theorem read_ok : forall done found, Forall2 (means v) done found -> forall e, means v (read whole cells done e) (eval c found e).
  Proof.
    intros done found K. induction e; cbn [read eval].
    - cbn [means]. destruct (number_ok v p q) as [N1 N2]. destruct (simplified_ok v ltac:(apply G) _ N2) as [S1 S2].
      rewrite S1, N1. auto.
    - apply C.
    - revert k. clear - K. induction K; intros [|k]; simpl; auto.
    - apply both_ok; auto. intros p q _ P _ Q. apply known_ok. intros y Y. destruct (add_ok whole v G p q y P Q Y) as [A B]. rewrite A. auto.
    - apply both_ok; auto. intros p q _ P _ Q. apply known_ok. intros y Y. destruct (sub_ok whole v G p q y P Q Y) as [A B]. rewrite A. auto.
    - apply both_ok; auto. intros p q _ P _ Q. simpl. destruct (mul_ok whole v G p q P Q) as [A B]. rewrite A. auto.
    - apply both_ok; auto. intros p q _ P _ Q. cbv zeta. pose proof (compared_ok whole v G fuel p q P Q) as S.
      destruct (first_if_equal_ok _ p q P Q S) as [E F]. set (s := compared fuel whole p q) in *. clearbody s.
      destruct (verdict AtMost s) as [b|] eqn:V; [|exact I].
      apply (verdict_ok _ _ (fraction_value v p) (fraction_value v q)) in V; auto.
      unfold decide in V. unfold Rmin. destruct (Rle_dec (fraction_value v p) (fraction_value v q)); subst; simpl; auto.
      rewrite E. auto.
    - apply both_ok; auto. intros p q _ P _ Q. cbv zeta. pose proof (compared_ok whole v G fuel p q P Q) as S.
      assert (S' : among (turned (compared fuel whole p q)) (fraction_value v q - fraction_value v p)).
      { apply among_turned in S. replace (fraction_value v q - fraction_value v p) with (- (fraction_value v p - fraction_value v q)) by ring. auto. }
      set (s := compared fuel whole p q) in *. clearbody s. destruct (verdict AtMost s) as [b|] eqn:V; [|exact I].
      assert (E : fraction_value v (first_if_equal s q p) = fraction_value v q /\ sound v (first_if_equal s q p)).
      { destruct s as [|[| |] [|]]; try (split; auto; fail). apply (first_if_equal_ok [Eq] q p Q P). exact S'. }
      apply (verdict_ok _ _ (fraction_value v p) (fraction_value v q)) in V; auto. destruct E as [E F].
      unfold decide in V. unfold Rmax. destruct (Rle_dec (fraction_value v p) (fraction_value v q)); subst; simpl; auto.
      rewrite E. auto.
    - apply both_ok; auto. intros p q _ P _ Q.
      assert (D : means v match inverse fuel whole q with Some z => Known (mul p z) | None => Unknown (unknown fuel whole (above q)) end
        (if Req_EM_T (fraction_value v q) 0 then eval c found e3 else Some (fraction_value v p / fraction_value v q))).
      { destruct (inverse fuel whole q) as [z|] eqn:Z; [|exact I]. destruct (inverse_ok whole v G fuel q z Q Z) as (A & B & S).
        destruct (Req_EM_T (fraction_value v q) 0); [contradiction|]. destruct (mul_ok whole v G p z P S) as [M1 M2].
        simpl. rewrite M1, A. auto. }
      pose proof (fraction_sign whole v G fuel q) as (s & IS & S).
      destruct (sign fuel whole (above q)) as [|[| |] [|]]; auto. destruct IS as [<-|[]]. unfold sign_is in S.
      destruct (Req_EM_T (fraction_value v q) 0); [auto | contradiction].
    - destruct (read whole cells done e) as [p| |s]; simpl in IHe; [| rewrite IHe; reflexivity | exact I].
      destruct IHe as [-> P]. cbn [bind]. pose proof (fraction_sign whole v G fuel p) as (s & IS & S).
      assert (D : means v match root_of_fraction fuel whole d p with Some y => Known y | None => Unknown (unknown fuel whole (above p)) end
        (if Rlt_dec (fraction_value v p) 0 then None else Some (root d (fraction_value v p)))).
      { destruct (root_of_fraction fuel whole d p) as [y|] eqn:Y; [|exact I].
        destruct (root_of_fraction_ok whole v G fuel d p y P Y) as (A & B & E).
        destruct (Rlt_dec (fraction_value v p) 0); [lra|]. simpl. rewrite B. auto. }
      destruct (sign fuel whole (above p)) as [|[| |] [|]]; auto. destruct IS as [<-|[]]. unfold sign_is in S.
      destruct (Rlt_dec (fraction_value v p) 0); [reflexivity | contradiction].
    - destruct (read whole cells done e) as [p| |s]; simpl in IHe; [| rewrite IHe; reflexivity | exact I].
      destruct IHe as [-> P]. cbn [bind]. pose proof (fraction_sign whole v G fuel p) as (s & IS & S).
      destruct (every _ (sign fuel whole (above p))) eqn:B.
      + rewrite every_forall in B. specialize (B s IS).
        destruct (Rle_dec (fraction_value v p) 0) as [|N]; [reflexivity|]. exfalso. apply N. destruct s; try discriminate; unfold sign_is in S; lra.
      + destruct (log_of_fraction fuel whole p) as [y|] eqn:Y; [|exact I]. destruct (log_of_fraction_ok whole v G fuel p y P Y) as (A & B' & E).
        destruct (Rle_dec (fraction_value v p) 0); [lra|]. simpl. rewrite B'. auto.
    - destruct (read whole cells done e) as [p| |s]; simpl in IHe; [| rewrite IHe; reflexivity | exact I].
      destruct IHe as [-> P]. cbn [bind]. apply known_ok. intros y Y. destruct (exp_of_fraction_ok whole v G p y P Y) as [A B]. rewrite A. auto.
    - apply angle_ok; auto. intros p y P Y. exact (arccos_of_fraction_ok whole v G p y P Y).
    - apply angle_ok; auto. intros p y P Y. exact (arcsin_of_fraction_ok whole v G p y P Y).
    - cbn [means]. split; [|apply Forall_nil]. rewrite circle. f_equal. field.
    - destruct (read whole cells done e1) as [p| |s]; simpl in IHe1.
      + destruct IHe1 as [-> P]. destruct (read whole cells done e2) as [q| |r]; simpl in IHe2; [| rewrite IHe2; auto | exact I].
        destruct IHe2 as [-> Q]. destruct (verdict t (compared fuel whole p q)) as [b|] eqn:V; [|exact I].
        apply (verdict_ok _ _ (fraction_value v p) (fraction_value v q)) in V; [|apply compared_ok; auto]. rewrite V. destruct b; auto.
      + rewrite IHe1. auto.
      + destruct (read whole cells done e2) as [q| |r]; simpl in IHe2; try exact I. rewrite IHe2. destruct (eval c found e1); auto.
    - destruct (read whole cells done e1) as [p| |s]; simpl in IHe1; [destruct IHe1 as [-> P] | rewrite IHe1 | exact I]; auto.
    - reflexivity.
  Qed.

  Theorem read_measure_ok : forall f, means v (read_measure whole cells f) (value c f).
  Proof.
    assert (A : forall f done found, Forall2 (means v) done found ->
      Forall2 (means v) (fold_left (fun done e => done ++ [read whole cells done e]) f done)
                        (fold_left (fun known e => known ++ [eval c known e]) f found)).
    { induction f as [|e f IH]; intros done found K; simpl; auto. apply IH. apply Forall2_app; auto.
      constructor; [apply read_ok; auto | constructor]. }
    intros f. unfold read_measure, read_all, value, values. specialize (A f [] [] (Forall2_nil _)).
    induction A as [|r x l m R_ A IH]; [reflexivity|]. cbn [last]. destruct A; auto.
  Qed.
End ReadOk.
