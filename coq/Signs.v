(* The sign of a polynomial whose variables are positive real numbers, or positive whole numbers. The rules are named
   as in the project's own kernel: coefficients, shift, squares, logarithms. *)
From Coq Require Import Reals ZArith List Bool Lra Lia.
From Goodmeasure Require Import Tree Polynomials.
Import ListNotations.
Local Open Scope R_scope.

(* Which signs a number may have *)
Definition signs := list comparison.
Definition sign_is (s : comparison) (x : R) := match s with Eq => x = 0 | Lt => x < 0 | Gt => 0 < x end.
Definition among (l : signs) (x : R) := exists s, In s l /\ sign_is s x.
Definition any : signs := [Lt; Eq; Gt].
Definition turned (l : signs) : signs := map CompOpp l.
Lemma among_any : forall x, among any x.
Proof.
  intros x. destruct (Rtotal_order x 0) as [H|[H|H]]; [exists Lt | exists Eq | exists Gt]; split; simpl; auto.
Qed.
Lemma among_turned : forall l x, among l x -> among (turned l) (- x).
Proof.
  intros l x (s & I & S). exists (CompOpp s). split; [apply in_map; auto|]. destruct s; simpl in *; lra.
Qed.
Lemma among_scaled : forall l x k, 0 < k -> among l x -> among l (k * x).
Proof.
  intros l x k K (s & I & S). exists s. split; auto. destruct s; simpl in *.
  - subst. ring.
  - pose proof (Rmult_lt_compat_l k x 0 K S). lra.
  - apply Rmult_lt_0_compat; auto.
Qed.
Definition definite (l : signs) : bool := match l with [_] => true | _ => false end.

(* What is assumed of the variables: all are positive, some are whole, and some polynomials have a given sign. *)
Record context := Context { whole : nat -> bool; facts : list (poly * comparison) }.
Definition good (x : context) (v : nat -> R) :=
  (forall k, 0 < v k) /\ (forall k, whole x k = true -> exists n, v k = INR (S n)) /\
  (forall p s, In (p, s) (facts x) -> sign_is s (pval v p)).

(* Coefficients: a sum of products of positive numbers is positive. *)

Fixpoint sure (g : symbol) : bool :=   (* whether a symbol is seen to be positive *)
  match g with
  | Var _ => true
  | Of f p q =>
      let sum (r : poly) := negb (is_nil r) <&>
        every (fun t => (0 <? snd t)%Z <&> every (fun x => sure (fst x)) (fst t)) r in
      match f with
      | Rooted _ => sum p <&> sum q
      | Logarithm => match p, q with [([], c)], [([], d)] => (0 <? d)%Z <&> (d <? c)%Z | _, _ => false end
      | Exponential | Circle => true
      | _ => false
      end
  end.
Definition sure_monomial (m : monomial) : bool := every (fun x => sure (fst x)) m.
Definition coefficients (p : poly) : bool :=
  negb (is_nil p) <&> every (fun t => (0 <? snd t)%Z <&> sure_monomial (fst t)) p.

Section Positive.
  Variable v : nat -> R.
  Hypothesis V : forall k, 0 < v k.

  Lemma sum_positive : forall p, p <> [] ->
    (forall t, In t p -> (0 < snd t)%Z /\ forall x, In x (fst t) -> 0 < symbol_value v (fst x)) -> 0 < pval v p.
  Proof.
    assert (M : forall m, (forall x, In x m -> 0 < symbol_value v (fst x)) -> 0 < mval v m).
    { induction m as [|[h e] m IH]; intros A. { rewrite mval_nil. lra. }
      rewrite mval_cons. apply Rmult_lt_0_compat.
      - apply pow_lt. apply (A (h, e)). left; auto.
      - apply IH. intros x I. apply A. right; auto. }
    induction p as [|[m c] p IH]; intros N A; [congruence|]. rewrite pval_cons.
    destruct (A (m, c)) as [C S]; [left; auto|]. simpl in C, S. apply IZR_lt in C.
    pose proof (Rmult_lt_0_compat _ _ C (M m S)). destruct p. { rewrite pval_nil. lra. }
    assert (0 < pval v (p :: p0)) by (apply IH; [discriminate | intros; apply A; right; auto]). lra.
  Qed.
  Lemma sure_positive : forall g, sure g = true -> 0 < symbol_value v g.
  Proof.
    induction g as [k|f p q P Q] using symbol_induction; intros H; [apply V|]. rewrite symbol_of.
    assert (S : forall r : poly, (forall t, In t r -> forall x, In x (fst t) -> sure (fst x) = true ->
      0 < symbol_value v (fst x)) -> negb (is_nil r) <&> every (fun t : monomial * Z =>
        (0 <? snd t)%Z <&> every (fun x : symbol * positive => sure (fst x)) (fst t)) r = true -> 0 < pval v r).
    { intros r A B. apply both_true in B as [B1 B2]. apply sum_positive. { destruct r; [discriminate | congruence]. }
      rewrite every_forall in B2. intros t I. specialize (B2 t I). apply both_true in B2 as [B2 B3].
      rewrite every_forall in B3. split; [apply Z.ltb_lt; auto|]. intros. eapply A; eauto. }
    destruct f; simpl in H; try discriminate.
    - apply both_true in H as [H1 H2]. apply S in H1; auto. apply S in H2; auto. cbn [apply_function]. unfold root.
      destruct (Rlt_dec 0 (pval v p / pval v q)) as [_|N]; [apply exp_pos|]. exfalso. apply N, Rdiv_lt_0_compat; auto.
    - destruct p as [|[[|] c] [|]]; try discriminate. destruct q as [|[[|] d] [|]]; try discriminate.
      apply both_true in H as [H1 H2]. apply Z.ltb_lt, IZR_lt in H1. apply Z.ltb_lt, IZR_lt in H2. cbn [apply_function].
      rewrite !pval_cons, !pval_nil, !mval_nil. rewrite <- ln_1 at 1. apply ln_increasing; [lra|].
      replace ((IZR c * 1 + 0) / (IZR d * 1 + 0)) with (IZR c / IZR d) by (f_equal; ring).
      apply Rmult_lt_reg_r with (IZR d); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
    - apply exp_pos.
    - apply PI_RGT_0.
  Qed.
  Lemma sure_monomial_positive : forall m, sure_monomial m = true -> 0 < mval v m.
  Proof.
    unfold sure_monomial. induction m as [|[h e] m IH]; intros H. { rewrite mval_nil. lra. }
    apply both_true in H as [H1 H2]. rewrite mval_cons. apply Rmult_lt_0_compat; auto. apply pow_lt, sure_positive. auto.
  Qed.
  Lemma coefficients_positive : forall p, coefficients p = true -> 0 < pval v p.
  Proof.
    intros p H. apply both_true in H as [N H]. rewrite every_forall in H. apply sum_positive.
    - destruct p; [discriminate | congruence].
    - intros t I. specialize (H t I). apply both_true in H as [H1 H2]. split; [apply Z.ltb_lt; auto|].
      unfold sure_monomial in H2. rewrite every_forall in H2. intros. apply sure_positive; auto.
  Qed.
End Positive.

Definition by_coefficients (p : poly) : signs :=
  if is_nil p then [Eq] else if coefficients p then [Gt] else if coefficients (popp p) then [Lt] else any.
Lemma by_coefficients_ok : forall v p, (forall k, 0 < v k) -> among (by_coefficients p) (pval v p).
Proof.
  intros v p V. unfold by_coefficients. destruct p as [|t p]. { exists Eq. simpl. auto. }
  cbn [is_nil]. destruct (coefficients (t :: p)) eqn:A. { exists Gt. split; [simpl; auto | apply coefficients_positive; auto]. }
  destruct (coefficients (popp (t :: p))) eqn:B; [|apply among_any]. exists Lt. split; [simpl; auto|].
  apply (coefficients_positive v V) in B. rewrite pval_opp in B. unfold sign_is. lra.
Qed.

(* Shift: a whole number x >= 1 is 1 + x' with x' >= 0. *)

Definition of_variables (m : monomial) : bool := every (fun x => match fst x with Var _ => true | _ => false end) m.
Definition plain (p : poly) : bool := every (fun t => of_variables (fst t)) p.
Section Shift.
  Variable x : context.
  Fixpoint shifted_monomial (m : monomial) : poly :=
    match m with
    | (Var k, e) :: m' =>
        pmul (if whole x k then ppow (padd (var k) one) (Pos.to_nat e) else [([(Var k, e)], 1%Z)]) (shifted_monomial m')
    | _ => one
    end.
  Definition shifted (p : poly) : poly := psum 20 (map (fun t => pscale [] (snd t) (shifted_monomial (fst t))) p).
  Definition no_minus (p : poly) : bool := every (fun t => (0 <=? snd t)%Z <&> of_variables (fst t)) p.
  Definition not_at_zero (p : poly) : bool :=   (* some term does not vanish where all shifted variables do *)
    some (fun t => (0 <? snd t)%Z <&>
      every (fun y => match fst y with Var k => negb (whole x k) | _ => false end) (fst t)) p.
  Definition by_shift (p : poly) : signs :=
    if plain p then
      let q := shifted p in
      if no_minus q then (if not_at_zero q then [Gt] else [Eq; Gt]) else
      let q := popp q in if no_minus q then (if not_at_zero q then [Lt] else [Eq; Lt]) else any
    else any.

  Variable v : nat -> R.
  Hypothesis G : good x v.
  Let u k := if whole x k then v k - 1 else v k.
  Lemma shifted_variables : forall k, 0 <= u k /\ (whole x k = false -> 0 < u k).
  Proof.
    intros k. unfold u. destruct G as (P & W & _). specialize (P k). specialize (W k).
    destruct (whole x k); split; intros; try discriminate; try lra. destruct W as [n E]; auto. rewrite E, S_INR. pose proof (pos_INR n). lra.
  Qed.
  Lemma shifted_monomial_ok : forall m, of_variables m = true -> pval u (shifted_monomial m) = mval v m.
  Proof.
    induction m as [|[[k|] e] m IH]; intros H; try discriminate. { apply pval_one. }
    cbn [shifted_monomial]. rewrite pval_mul, IH, mval_cons by auto. f_equal. cbn [symbol_value].
    destruct (whole x k) eqn:W.
    - rewrite pval_pow, pval_add, pval_var, pval_one. f_equal. unfold u. rewrite W. ring.
    - rewrite pval_cons, mval_cons, mval_nil, pval_nil. cbn [symbol_value]. unfold u. rewrite W. ring.
  Qed.
  Lemma shifted_ok : forall p, plain p = true -> pval u (shifted p) = pval v p.
  Proof.
    intros p H. unfold shifted. rewrite psum_total. induction p as [|[m c] p IH]; auto.
    apply both_true in H as [H1 H2]. cbn [map total fold_right fst snd]. rewrite pval_scale, mval_nil, pval_cons.
    fold (total u (map (fun t => pscale [] (snd t) (shifted_monomial (fst t))) p)).
    rewrite IH, shifted_monomial_ok by auto. ring.
  Qed.
  Lemma monomial_nonnegative : forall m, of_variables m = true -> 0 <= mval u m.
  Proof.
    induction m as [|[[k|] e] m IH]; intros H; try discriminate. { rewrite mval_nil. lra. }
    rewrite mval_cons. apply Rmult_le_pos; [apply pow_le, shifted_variables | apply IH; auto].
  Qed.
  Lemma monomial_positive : forall m,
    every (fun y => match fst y with Var k => negb (whole x k) | _ => false end) m = true -> 0 < mval u m.
  Proof.
    induction m as [|[[k|] e] m IH]; intros H; try discriminate. { rewrite mval_nil. lra. }
    apply both_true in H as [H1 H2]. rewrite mval_cons. apply Rmult_lt_0_compat; auto. apply pow_lt.
    apply shifted_variables. simpl in H1. destruct (whole x k); [discriminate | auto].
  Qed.
  Lemma no_minus_ok : forall p, no_minus p = true -> 0 <= pval u p /\ (not_at_zero p = true -> 0 < pval u p).
  Proof.
    induction p as [|[m c] p IH]; intros H. { rewrite pval_nil. split; [lra | discriminate]. }
    apply both_true in H as [H1 H2]. apply both_true in H1 as [H0 H1]. apply Z.leb_le, IZR_le in H0.
    destruct (IH H2) as [I1 I2]. rewrite pval_cons. simpl in H0, H1.
    pose proof (Rmult_le_pos _ _ H0 (monomial_nonnegative m H1)). split; [lra|].
    cbn [not_at_zero some fst snd]. intros E. apply one_true in E as [E|E]; [|specialize (I2 E); lra].
    apply both_true in E as [E1 E2]. apply Z.ltb_lt, IZR_lt in E1. apply monomial_positive in E2.
    pose proof (Rmult_lt_0_compat _ _ E1 E2). lra.
  Qed.
  Lemma by_shift_ok : forall p, among (by_shift p) (pval v p).
  Proof.
    intros p. unfold by_shift. destruct (plain p) eqn:P; [|apply among_any]. rewrite <- (shifted_ok p P).
    assert (S : forall q, no_minus q = true -> among (if not_at_zero q then [Gt] else [Eq; Gt]) (pval u q)).
    { intros q N. destruct (no_minus_ok q N) as [L S]. destruct (not_at_zero q); [exists Gt; simpl; auto|].
      destruct (Rle_lt_or_eq_dec _ _ L); [exists Gt | exists Eq]; simpl; auto. }
    cbv zeta. destruct (no_minus (shifted p)) eqn:A; [apply S; auto|].
    destruct (no_minus (popp (shifted p))) eqn:B; [|apply among_any]. apply S in B.
    apply among_turned in B. rewrite pval_opp, Ropp_involutive in B. destruct (not_at_zero _); exact B.
  Qed.
End Shift.

(* Roots of polynomials with positive coefficients: their powers are polynomials again. *)

Definition root_of (g : symbol) : option (positive * poly) :=
  match g with Of (Rooted d) f q => if peq q one <&> coefficients f then Some (d, f) else None | _ => None end.
Lemma root_of_ok : forall v g d f, (forall k, 0 < v k) -> root_of g = Some (d, f) ->
  0 < symbol_value v g /\ 0 < pval v f /\ symbol_value v g ^ Pos.to_nat d = pval v f.
Proof.
  intros v g d f V H. destruct g as [|[e| | | | |] p q]; try discriminate. cbn [root_of] in H.
  destruct (peq q one <&> coefficients p) eqn:A; [|discriminate]. injection H as <- <-. apply both_true in A as [Q C].
  apply peq_eq in Q. subst q. pose proof (coefficients_positive v V p C) as P. rewrite symbol_of, pval_one.
  unfold Rdiv. rewrite Rinv_1, Rmult_1_r. cbn [apply_function]. destruct (root_spec e (pval v p)) as [_ S]; [lra|].
  repeat split; auto. unfold root. destruct (Rlt_dec 0 (pval v p)); [apply exp_pos | contradiction].
Qed.

Definition too_high (x : symbol * positive) : bool :=
  match fst x with Of (Rooted d) _ _ => (d <=? snd x)%positive | _ => false end.
Fixpoint lowered (m : monomial) : poly * monomial :=
  match m with
  | [] => (one, [])
  | (g, e) :: m' =>
      let '(p, n) := lowered m' in
      match (if too_high (g, e) then root_of g else None) with
      | Some (d, f) => let '(a, b) := N.div_eucl (Npos e) (Npos d) in
          (pmul (ppow f (N.to_nat a)) p, match b with N0 => n | Npos b' => (g, b') :: n end)
      | None => (p, (g, e) :: n)
      end
  end.
Definition lowered_term (t : monomial * Z) : poly :=
  if some too_high (fst t) then let '(p, n) := lowered (fst t) in pscale n (snd t) p else [t].
Fixpoint reduced (fuel : nat) (p : poly) : poly :=
  match fuel with
  | S n => if some (fun t => some too_high (fst t)) p then reduced n (psum 20 (map lowered_term p)) else p
  | O => p
  end.
Definition times (p q : poly) : poly := reduced 3 (pmul p q).

Section Reduced.
  Variable v : nat -> R.
  Hypothesis V : forall k, 0 < v k.
  Lemma lowered_ok : forall m, pval v (fst (lowered m)) * mval v (snd (lowered m)) = mval v m.
  Proof.
    induction m as [|[g e] m IH]. { cbn [lowered fst snd]. rewrite pval_one, mval_nil. ring. }
    cbn [lowered]. destruct (lowered m) as [p n]. cbn [fst snd] in IH. rewrite mval_cons, <- IH.
    destruct (if too_high (g, e) then root_of g else None) as [[d f]|] eqn:E.
    2: { cbn [fst snd]. rewrite mval_cons. ring. }
    destruct (too_high (g, e)); [|discriminate]. destruct (root_of_ok v g d f V E) as (_ & _ & F).
    pose proof (N.div_eucl_spec (Npos e) (Npos d)) as S. destruct (N.div_eucl (Npos e) (Npos d)) as [a b].
    cbn [fst snd]. rewrite pval_mul, pval_pow, <- F, <- pow_mult.
    assert (T : (Pos.to_nat e = Pos.to_nat d * N.to_nat a + N.to_nat b)%nat) by lia.
    rewrite T, pow_add. destruct b as [|b]; [simpl; ring|]. rewrite mval_cons. cbn [N.to_nat]. ring.
  Qed.
  Lemma lowered_term_ok : forall t, pval v (lowered_term t) = IZR (snd t) * mval v (fst t).
  Proof.
    intros [m c]. unfold lowered_term. cbn [fst snd]. destruct (some too_high m).
    - pose proof (lowered_ok m) as L. destruct (lowered m) as [p n]. cbn [fst snd] in L. rewrite pval_scale, <- L. ring.
    - rewrite pval_cons, pval_nil. ring.
  Qed.
  Lemma reduced_ok : forall fuel p, pval v (reduced fuel p) = pval v p.
  Proof.
    induction fuel as [|n IH]; intros p; cbn [reduced]; auto. destruct (some _ p); auto. rewrite IH, psum_total.
    induction p as [|[m c] p IHp]; auto. cbn [map total fold_right]. fold (total v (map lowered_term p)).
    rewrite IHp, lowered_term_ok, pval_cons. auto.
  Qed.
  Lemma times_ok : forall p q, pval v (times p q) = pval v p * pval v q.
  Proof. intros. unfold times. rewrite reduced_ok. apply pval_mul. Qed.
End Reduced.

(* Squares: u + w*s with a square root s is decided by the signs of u and w, and of u^2 - w^2*s^2 if these differ. *)

Fixpoint without (g : symbol) (m : monomial) : option monomial :=   (* the other factors, if g occurs once *)
  match m with
  | [] => None
  | (h, e) :: m' =>
      match symbol_cmp g h, e with
      | Eq, xH => Some m'
      | _, _ => option_map (cons (h, e)) (without g m')
      end
  end.
Fixpoint parted (g : symbol) (p : poly) : poly * poly :=
  match p with
  | [] => ([], [])
  | (m, c) :: p' =>
      let '(u, w) := parted g p' in
      match without g m with Some n => (u, (n, c) :: w) | None => ((m, c) :: u, w) end
  end.
Definition square_root (g : symbol) : option poly :=
  match root_of g with Some (2%positive, f) => Some f | _ => None end.
Fixpoint first_root_of_monomial (m : monomial) : option (symbol * poly) :=
  match m with
  | [] => None
  | (g, _) :: m' => match square_root g with Some f => Some (g, f) | None => first_root_of_monomial m' end
  end.
Fixpoint first_root (p : poly) : option (symbol * poly) :=
  match p with
  | [] => None
  | (m, _) :: p' => match first_root_of_monomial m with Some x => Some x | None => first_root p' end
  end.

Lemma without_ok : forall v g m n, without g m = Some n -> mval v m = symbol_value v g * mval v n.
Proof.
  induction m as [|[h e] m IH]; intros n H; cbn [without] in H; [discriminate|]. rewrite mval_cons.
  destruct (symbol_cmp g h) eqn:E.
  1: destruct e; [..|apply symbol_cmp_eq in E; injection H as <-; subst; simpl; ring].
  all: destruct (without g m) as [r|]; [|discriminate]; injection H as <-; rewrite mval_cons, (IH r eq_refl); ring.
Qed.
Lemma parted_ok : forall v g p, pval v p = pval v (fst (parted g p)) + pval v (snd (parted g p)) * symbol_value v g.
Proof.
  induction p as [|[m c] p IH]. { cbn [parted fst snd]. rewrite pval_nil. ring. }
  cbn [parted]. destruct (parted g p) as [u w]. cbn [fst snd] in IH. rewrite pval_cons, IH.
  destruct (without g m) as [n|] eqn:E; cbn [fst snd]; rewrite pval_cons; [rewrite (without_ok v g m n E)|]; ring.
Qed.
Lemma first_root_ok : forall p g f, first_root p = Some (g, f) -> square_root g = Some f.
Proof.
  assert (M : forall m g f, first_root_of_monomial m = Some (g, f) -> square_root g = Some f).
  { induction m as [|[h e] m IH]; intros g f H; cbn [first_root_of_monomial] in H; [discriminate|].
    destruct (square_root h) eqn:E; [injection H as <- <-; auto | auto]. }
  induction p as [|[m c] p IH]; intros g f H; cbn [first_root] in H; [discriminate|].
  destruct (first_root_of_monomial m) as [[h k]|] eqn:E; [injection H as <- <-; eauto | auto].
Qed.

(* The signs of x + y from those of x, of y, and of x^2 - y^2 *)
Definition summed (sx sy squares : signs) : signs :=
  flat_map (fun a => flat_map (fun b =>
    match a, b with
    | Eq, _ => [b] | _, Eq => [a] | Gt, Gt => [Gt] | Lt, Lt => [Lt]
    | _, _ => map (fun d => match d with Gt => a | Lt => b | Eq => Eq end) squares
    end) sy) sx.
Definition opposite (sx sy : signs) : bool :=
  some (fun a => some (fun b => match a, b with Lt, Gt | Gt, Lt => true | _, _ => false end) sy) sx.
Lemma summed_ok : forall sx sy sd x y, among sx x -> among sy y -> (opposite sx sy = true -> among sd (x * x - y * y)) ->
  among (summed sx sy sd) (x + y).
Proof.
  intros sx sy sd x y (a & IA & A) (b & IB & B) D.
  assert (In_ : forall s, In s (match a, b with Eq, _ => [b] | _, Eq => [a] | Gt, Gt => [Gt] | Lt, Lt => [Lt]
    | _, _ => map (fun d => match d with Gt => a | Lt => b | Eq => Eq end) sd end) -> In s (summed sx sy sd)).
  { intros s I. apply in_flat_map. exists a. split; auto. apply in_flat_map. exists b. auto. }
  assert (O : match a, b with Lt, Gt | Gt, Lt => True | _, _ => False end -> among sd (x * x - y * y)).
  { intros H. apply D. apply some_exists. exists a. split; auto. apply some_exists. exists b. split; auto.
    destruct a, b; tauto. }
  assert (K : forall s, In s (match a, b with Eq, _ => [b] | _, Eq => [a] | Gt, Gt => [Gt] | Lt, Lt => [Lt]
    | _, _ => map (fun d => match d with Gt => a | Lt => b | Eq => Eq end) sd end) -> sign_is s (x + y) ->
    among (summed sx sy sd) (x + y)) by (intros s I S; exists s; auto).
  destruct a, b; simpl in A, B; try (destruct (O I) as (d & ID & S)).
  - apply (K Eq); simpl; auto; lra.
  - apply (K Lt); simpl; auto; lra.
  - apply (K Gt); simpl; auto; lra.
  - apply (K Lt); simpl; auto; lra.
  - apply (K Lt); simpl; auto; lra.
  - destruct d; simpl in S; [apply (K Eq) | apply (K Gt) | apply (K Lt)]; simpl;
      try (apply in_map_iff; eexists; split; [|exact ID]; reflexivity); nra.
  - apply (K Gt); simpl; auto; lra.
  - destruct d; simpl in S; [apply (K Eq) | apply (K Lt) | apply (K Gt)]; simpl;
      try (apply in_map_iff; eexists; split; [|exact ID]; reflexivity); nra.
  - apply (K Gt); simpl; auto; lra.
Qed.

(* Logarithms: w * (c1 ln f1 + c2 ln f2 + ...) with whole numbers c is decided by products of the f. *)

Definition log_of (g : symbol) : option poly :=
  match g with Of Logarithm f q => if peq q one <&> coefficients f then Some f else None | _ => None end.
Fixpoint log_in (m : monomial) : option (monomial * poly) :=   (* the other factors, and what the logarithm is of *)
  match m with
  | [] => None
  | (g, e) :: m' =>
      match log_of g, e with
      | Some f, xH => Some (m', f)
      | _, _ => match log_in m' with Some (n, f) => Some ((g, e) :: n, f) | None => None end
      end
  end.
Definition greatest_power (f : poly) : Z :=    (* of a number it may be high *)
  if every (fun t => every (fun x => match fst x with Var _ => false | _ => true end) (fst t)) f then 1000%Z else 24%Z.
Fixpoint one_product (w : monomial) (p : poly) : option (poly * poly) :=
  match p with
  | [] => Some (one, one)
  | (m, c) :: p' =>
      match log_in m, one_product w p' with
      | Some (n, f), Some (a, b) =>
          match mcmp w n with
          | Eq => if (greatest_power f <? Z.abs c)%Z then None else
                  if (0 <? c)%Z then Some (times (ppow f (Z.to_nat c)) a, b)
                  else Some (a, times (ppow f (Z.to_nat (- c))) b)
          | _ => None
          end
      | _, _ => None
      end
  end.

(* A difference of logarithms with a weight, w * (ln high - ln low), is positive if high - low is. *)
Record gap := Gap { weight : monomial; amount : Z; high : poly; low : poly }.
Definition log_poly (f : poly) : poly := single (Of Logarithm f one).
Definition gap_poly (x : gap) : poly := pscale (weight x) (amount x) (psub (log_poly (high x)) (log_poly (low x))).
Definition gap_is_positive (x : gap) : bool :=
  sure_monomial (weight x) <&> (0 <? amount x)%Z <&> coefficients (low x) <&> coefficients (psub (high x) (low x)).
Definition positive_by_gaps (p : poly) (l : list gap) : bool :=
  let rest := psub p (psum 20 (map gap_poly l)) in
  every gap_is_positive l <&> (coefficients rest <|> negb (is_nil l) <&> is_nil rest).

(* How such differences are found: each subtracted logarithm is paired with a greater one. Nothing depends on this. *)
Definition log_term := (monomial * poly * Z)%type.
Definition log_terms (p : poly) : list log_term :=
  flat_map (fun t => match log_in (fst t) with Some (w, f) => [(w, f, snd t)] | None => [] end) p.
Fixpoint paired (x : log_term) (l : list log_term) : list gap * list log_term :=
  let '(w, f, c) := x in
  match l with
  | [] => ([], [])
  | ((w', f'), c') :: l' =>
      if (0 <? c)%Z <&> (0 <? c')%Z <&> match mcmp w w' with Eq => coefficients (psub f' f) | _ => false end then
        let k := Z.min c c' in
        let rest := if (c' =? k)%Z then l' else (w', f', (c' - k)%Z) :: l' in
        if (c =? k)%Z then ([Gap w k f' f], rest)
        else let '(g, r) := paired (w, f, (c - k)%Z) l' in (Gap w k f' f :: g, r)
      else let '(g, r) := paired x l' in (g, (w', f', c') :: r)
  end.
Definition gaps_of (p : poly) : list gap :=
  let '(up, down) := partition (fun t => 0 <? snd t)%Z (log_terms p) in
  fst (fold_left (fun s t => let '(w, f, c) := t in
    let '(g, rest) := paired (w, f, (- c)%Z) (snd s) in (g ++ fst s, rest)) down ([], up)).

Section Logarithms.
  Variable v : nat -> R.
  Hypothesis V : forall k, 0 < v k.
  Lemma log_of_ok : forall g f, log_of g = Some f -> symbol_value v g = ln (pval v f) /\ 0 < pval v f.
  Proof.
    intros [|[| | | | |] p q] f H; try discriminate. cbn [log_of] in H.
    destruct (peq q one <&> coefficients p) eqn:A; [|discriminate]. injection H as <-. apply both_true in A as [Q C].
    apply peq_eq in Q. subst q. rewrite symbol_of, pval_one. unfold Rdiv. rewrite Rinv_1, Rmult_1_r.
    split; auto. apply coefficients_positive; auto.
  Qed.
  Lemma log_in_ok : forall m n f, log_in m = Some (n, f) -> mval v m = mval v n * ln (pval v f) /\ 0 < pval v f.
  Proof.
    induction m as [|[g e] m IH]; intros n f H; cbn [log_in] in H; [discriminate|].
    assert (A : match log_in m with Some (n, f) => Some ((g, e) :: n, f) | None => None end = Some (n, f) ->
      mval v ((g, e) :: m) = mval v n * ln (pval v f) /\ 0 < pval v f).
    { intros B. destruct (log_in m) as [[r k]|]; [|discriminate]. injection B as <- <-.
      destruct (IH r k eq_refl) as [I1 I2]. rewrite !mval_cons, I1. split; auto. ring. }
    destruct (log_of g) as [k|] eqn:E; auto. destruct e; auto. injection H as <- <-.
    destruct (log_of_ok g k E) as [L P]. rewrite mval_cons, L. split; auto. simpl. ring.
  Qed.
  Lemma ln_pow : forall x n, 0 < x -> ln (x ^ n) = INR n * ln x.
  Proof.
    intros x n X. induction n. { simpl. rewrite ln_1. ring. }
    rewrite S_INR. cbn [pow]. rewrite ln_mult, IHn by (auto using pow_lt). ring.
  Qed.
  Lemma one_product_ok : forall w p a b, one_product w p = Some (a, b) ->
    0 < pval v a /\ 0 < pval v b /\ pval v p = mval v w * (ln (pval v a) - ln (pval v b)).
  Proof.
    intros w. induction p as [|[m c] p IH]; intros a b H; cbn [one_product] in H.
    { injection H as <- <-. rewrite pval_one, ln_1, pval_nil. repeat split; lra. }
    destruct (log_in m) as [[n f]|] eqn:L; [|discriminate]. destruct (log_in_ok m n f L) as [E P].
    destruct (one_product w p) as [[a' b']|]; [|discriminate]. destruct (IH a' b' eq_refl) as (A & B & I).
    destruct (mcmp w n) eqn:M; try discriminate. apply mcmp_eq in M. subst n.
    destruct (greatest_power f <? Z.abs c)%Z; [discriminate|]. rewrite pval_cons, E, I.
    assert (T : forall k r, 0 < pval v r -> 0 < pval v (times (ppow f k) r) /\
      ln (pval v (times (ppow f k) r)) = INR k * ln (pval v f) + ln (pval v r)).
    { intros k r R_. rewrite times_ok, pval_pow by auto. pose proof (pow_lt _ k P).
      split; [apply Rmult_lt_0_compat; auto|]. rewrite ln_mult, ln_pow by auto. auto. }
    destruct (Z.ltb_spec 0 c); injection H as <- <-.
    - destruct (T (Z.to_nat c) a' A) as [T1 T2]. rewrite T2, INR_IZR_INZ, Z2Nat.id by lia. repeat split; auto. ring.
    - destruct (T (Z.to_nat (- c)) b' B) as [T1 T2]. rewrite T2, INR_IZR_INZ, Z2Nat.id, opp_IZR by lia.
      repeat split; auto. ring.
  Qed.
  Lemma order_of_logs : forall s a b w, 0 < a -> 0 < b -> 0 < w -> among s (a - b) -> among s (w * (ln a - ln b)).
  Proof.
    intros s a b w A B W H. apply among_scaled; auto. destruct H as (c & I & S). exists c. split; auto.
    destruct c; unfold sign_is in *.
    - replace b with a by lra. ring.
    - pose proof (ln_increasing a b A). lra.
    - pose proof (ln_increasing b a B). lra.
  Qed.
  Lemma log_poly_ok : forall f, pval v (log_poly f) = ln (pval v f).
  Proof. intros. unfold log_poly. rewrite pval_single, symbol_of, pval_one. cbn [apply_function]. f_equal. field. Qed.
  Lemma gap_positive : forall x, gap_is_positive x = true -> 0 < pval v (gap_poly x).
  Proof.
    intros [w c h l] H. unfold gap_is_positive, gap_poly in *. cbn [weight amount high low] in *.
    repeat (apply both_true in H as [H ?]). apply Z.ltb_lt, IZR_lt in H2.
    apply (sure_monomial_positive v V) in H. apply (coefficients_positive v V) in H0, H1. rewrite pval_sub in H0.
    rewrite pval_scale, pval_sub, !log_poly_ok.
    apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; auto|]. pose proof (ln_increasing (pval v l) (pval v h) H1). lra.
  Qed.
  Lemma positive_by_gaps_ok : forall p l, positive_by_gaps p l = true -> 0 < pval v p.
  Proof.
    intros p l H. unfold positive_by_gaps in H. cbv zeta in H. apply both_true in H as [G H].
    assert (E : pval v p = pval v (psub p (psum 20 (map gap_poly l))) + total v (map gap_poly l)).
    { rewrite pval_sub, psum_total. ring. }
    assert (T : 0 <= total v (map gap_poly l) /\ (l <> [] -> 0 < total v (map gap_poly l))).
    { clear H E. induction l as [|x l IH]; [split; [simpl; lra | congruence]|]. apply both_true in G as [G1 G2].
      apply gap_positive in G1. destruct (IH G2) as [I _]. cbn [map total fold_right]. fold (total v (map gap_poly l)).
      split; intros; lra. }
    rewrite E. destruct T as [T1 T2]. apply one_true in H as [H|H].
    - apply (coefficients_positive v V) in H. lra.
    - apply both_true in H as [H1 H2]. destruct (psub p _); [|discriminate]. rewrite pval_nil.
      assert (l <> []) by (destruct l; [discriminate | congruence]). specialize (T2 H). lra.
  Qed.
End Logarithms.

(* Facts that are assumed: of the same polynomial, up to a number *)

Fixpoint content (p : poly) : Z := match p with [] => 0%Z | t :: p' => Z.gcd (snd t) (content p') end.
Definition multiple (p q : poly) : option Z :=    (* c and p = c * q up to positive numbers *)
  match p, q with
  | (_, c) :: _, (_, d) :: _ => if peq (pscale [] d p) (pscale [] c q) then Some (c * d)%Z else None
  | _, _ => None
  end.
Fixpoint by_facts (l : list (poly * comparison)) (p : poly) : signs :=
  match l with
  | [] => any
  | (q, s) :: l' =>
      match multiple p q with
      | Some (Zpos _) => [s] | Some (Zneg _) => [CompOpp s] | _ => by_facts l' p
      end
  end.
Lemma by_facts_ok : forall v l p, (forall q s, In (q, s) l -> sign_is s (pval v q)) -> among (by_facts l p) (pval v p).
Proof.
  induction l as [|[q s] l IH]; intros p H; cbn [by_facts]; [apply among_any|].
  assert (S := H q s (or_introl eq_refl)).
  assert (K : among (by_facts l p) (pval v p)) by (apply IH; intros; apply H; right; auto).
  destruct (multiple p q) as [e|] eqn:E; auto. unfold multiple in E. destruct p as [|[m c] p']; [discriminate|].
  destruct q as [|[n d] q']; [discriminate|]. set (p := (m, c) :: p') in *. set (q := (n, d) :: q') in *.
  destruct (peq (pscale [] d p) (pscale [] c q)) eqn:P; [|discriminate]. apply peq_eq in P. injection E as <-.
  assert (Q : IZR d * pval v p = IZR c * pval v q).
  { transitivity (pval v (pscale [] d p)); [rewrite pval_scale, mval_nil; ring | rewrite P, pval_scale, mval_nil; ring]. }
  assert (N : (c * d)%Z <> 0%Z -> IZR d <> 0) by (intros T; apply IZR_neq; intros ->; apply T; ring).
  assert (D : (c * d)%Z <> 0%Z -> pval v p = IZR (c * d) * / (IZR d * IZR d) * pval v q).
  { intros T. specialize (N T). rewrite mult_IZR. apply Rmult_eq_reg_l with (IZR d); auto. rewrite Q. field. auto. }
  destruct (c * d)%Z as [|e|e] eqn:E; auto.
  - assert (T : Zpos e <> 0%Z) by discriminate. specialize (N T). rewrite (D T). exists s. split; [left; auto|].
    assert (0 < IZR (Zpos e) * / (IZR d * IZR d)).
    { apply Rmult_lt_0_compat; [apply IZR_lt; reflexivity | apply Rinv_0_lt_compat; nra]. }
    destruct s; unfold sign_is in *; [rewrite S; ring | nra | nra].
  - assert (T : Zneg e <> 0%Z) by discriminate. specialize (N T). rewrite (D T). exists (CompOpp s). split; [left; auto|].
    assert (IZR (Zneg e) * / (IZR d * IZR d) < 0).
    { assert (IZR (Zneg e) < 0) by (apply IZR_lt; reflexivity). assert (0 < / (IZR d * IZR d)) by (apply Rinv_0_lt_compat; nra). nra. }
    destruct s; cbn [CompOpp]; unfold sign_is in *; [rewrite S; ring | nra | nra].
Qed.

(* Angles: the arc cosine falls. pi is that of -1, and 0 is that of 1. *)

Definition cosine_of (g : symbol) : option (poly * poly) :=
  match g with
  | Of Cosine p q => if coefficients q then Some (p, q) else None
  | Of Circle _ _ => Some (popp one, one)
  | _ => None
  end.
Fixpoint angle_in (m : monomial) : option (monomial * (poly * poly)) :=
  match m with
  | [] => None
  | (g, e) :: m' =>
      match cosine_of g, e with
      | Some a, xH => Some (m', a)
      | _, _ => match angle_in m' with Some (n, a) => Some ((g, e) :: n, a) | None => None end
      end
  end.
(* p = w * c * (angle a - angle b) *)
Definition two_angles (p : poly) : option (monomial * Z * (poly * poly) * (poly * poly)) :=
  match p with
  | [(m, c)] => match angle_in m with Some (w, a) => Some (w, c, a, (one, one)) | None => None end
  | [(m, c); (n, d)] =>
      match angle_in m, angle_in n with
      | Some (w, a), Some (w', b) =>
          match mcmp w w' with
          | Eq => if (c + d =? 0)%Z then Some (w, c, a, b)
                  else if (c + 2 * d =? 0)%Z <&> peq (fst b) (popp one) <&> peq (snd b) one    (* half pi is the angle of 0 *)
                  then Some (w, c, a, ([], one)) else None
          | _ => None
          end
      | _, _ => None
      end
  | [(m, c); (n, d); (l, e)] =>     (* an angle of x and pi together: pi - angle x is the angle of - x *)
      match angle_in m, angle_in n, angle_in l with
      | Some (w, a), Some (w', b), Some (w'', o) =>
          match mcmp w w', mcmp w w'' with
          | Eq, Eq => if (c =? d)%Z <&> (c + e =? 0)%Z <&> peq (fst o) (popp one) <&> peq (snd o) one
                      then Some (w, c, a, (popp (fst b), snd b)) else None
          | _, _ => None
          end
      | _, _, _ => None
      end
  | _ => None
  end.
Lemma angle_in_ok : forall v m w a, (forall k, 0 < v k) -> angle_in m = Some (w, a) ->
  mval v m = mval v w * acos (pval v (fst a) / pval v (snd a)) /\ 0 < pval v (snd a).
Proof.
  intros v m w a V. revert w a. induction m as [|[g e] m IH]; intros w a H; cbn [angle_in] in H; [discriminate|].
  assert (A : match angle_in m with Some (n, a) => Some ((g, e) :: n, a) | None => None end = Some (w, a) ->
    mval v ((g, e) :: m) = mval v w * acos (pval v (fst a) / pval v (snd a)) /\ 0 < pval v (snd a)).
  { intros B. destruct (angle_in m) as [[r k]|]; [|discriminate]. injection B as <- <-.
    destruct (IH r k eq_refl) as [I1 I2]. rewrite !mval_cons, I1. split; auto. ring. }
  destruct (cosine_of g) as [k|] eqn:E; auto. destruct e; auto. injection H as <- <-. rewrite mval_cons.
  destruct g as [|[| | | | |] p q]; try discriminate; cbn [cosine_of] in E.
  - destruct (coefficients q) eqn:Q; [|discriminate]. injection E as <-. cbn [fst snd].
    split; [|apply coefficients_positive; auto]. rewrite symbol_of. cbn [apply_function]. change (Pos.to_nat 1) with 1%nat. cbn [pow]. ring.
  - assert (K : k = (popp one, one)) by congruence. rewrite K. cbn [fst snd]. rewrite pval_opp, pval_one. split; [|lra]. rewrite symbol_of. cbn [apply_function].
    replace (- (1) / 1) with (- (1)) by field. rewrite acos_opp, acos_1. change (Pos.to_nat 1) with 1%nat. cbn [pow]. ring.
Qed.

(* All rules together *)

Definition by_gaps (p : poly) : signs :=
  if positive_by_gaps p (gaps_of p) then [Gt] else
  let q := popp p in if positive_by_gaps q (gaps_of q) then [Lt] else any.
Definition not_below (l : signs) : bool := every (fun c => match c with Lt => false | _ => true end) l.
Fixpoint sign (fuel : nat) (x : context) (p : poly) : signs :=
  let c := by_coefficients p in
  if definite c then c else
  let c := by_facts (facts x) p in
  if definite c then c else
  match fuel with
  | O => by_shift x p
  | S n =>
      match first_root p with
      | Some (g, f) =>
          let '(u, w) := parted g p in let su := sign n x u in let sw := sign n x w in
          summed su sw (if opposite su sw then sign n x (psub (times u u) (times (times w w) f)) else [])
      | None =>
          if plain p then by_shift x p else
          match two_angles p with
          | Some (w, c, (a, b), (d, e)) =>
              if sure_monomial w <&> not_below (sign n x (psub b a)) <&> not_below (sign n x (padd b a))
                 <&> not_below (sign n x (psub e d)) <&> not_below (sign n x (padd e d)) then
                let s := sign n x (psub (times d b) (times a e)) in
                match c with Zpos _ => s | Zneg _ => turned s | Z0 => any end
              else any
          | None =>
              match p with
              | (m, _) :: _ =>
                  match log_in m with
                  | Some (w, _) =>
                      match (if sure_monomial w then one_product w p else None) with
                      | Some (a, b) => sign n x (psub a b)
                      | None => by_gaps p
                      end
                  | None => by_gaps p
                  end
              | [] => [Eq]
              end
          end
      end
  end.

Lemma acos_falls : forall s u w, -1 <= u <= 1 -> -1 <= w <= 1 -> among s (w - u) -> among s (acos u - acos w).
Proof.
  intros s u w U W (c & I & S). exists c. split; auto.
  assert (D : forall a b, -1 <= a <= 1 -> -1 <= b <= 1 -> a < b -> acos b < acos a).
  { intros a b A B L. destruct (Rlt_or_le (acos b) (acos a)) as [|N]; auto. exfalso.
    pose proof (acos_bound a). pose proof (acos_bound b).
    assert (cos (acos b) <= cos (acos a)) by (apply cos_decr_1; lra). rewrite !cos_acos in * by lra. lra. }
  destruct c; unfold sign_is in *.
  - replace w with u by lra. ring.
  - specialize (D w u W U ltac:(lra)). lra.
  - specialize (D u w U W ltac:(lra)). lra.
Qed.
Lemma not_below_ok : forall s x, not_below s = true -> among s x -> 0 <= x.
Proof.
  intros s x H (c & I & S). unfold not_below in H. rewrite every_forall in H. specialize (H c I).
  destruct c; try discriminate; unfold sign_is in S; lra.
Qed.
Theorem sign_ok : forall x v, good x v -> forall fuel p, among (sign fuel x p) (pval v p).
Proof.
  intros x v G. assert (V : forall k, 0 < v k) by apply G.
  assert (B : forall p, among (by_gaps p) (pval v p)).
  { intros p. unfold by_gaps. cbv zeta. destruct (positive_by_gaps p _) eqn:A.
    { exists Gt. split; [simpl; auto|]. eapply positive_by_gaps_ok; eauto. }
    destruct (positive_by_gaps (popp p) _) eqn:C; [|apply among_any]. exists Lt. split; [simpl; auto|].
    apply (positive_by_gaps_ok v V) in C. rewrite pval_opp in C. unfold sign_is. lra. }
  induction fuel as [|n IH]; intros p; cbn [sign]; cbv zeta; (destruct (definite (by_coefficients p)); [apply by_coefficients_ok; auto|]);
    (destruct (definite (by_facts (facts x) p)); [apply by_facts_ok; apply G|]).
  { apply by_shift_ok; auto. }
  destruct (first_root p) as [[g f]|] eqn:R_.
  { apply first_root_ok in R_. unfold square_root in R_. destruct (root_of g) as [[d k]|] eqn:E; [|discriminate].
    destruct d as [|d|]; try discriminate. destruct d; try discriminate. injection R_ as ->.
    destruct (root_of_ok v g _ f V E) as (P & F & S). change (Pos.to_nat 2) with 2%nat in S.
    rewrite (parted_ok v g p). destruct (parted g p) as [u w]. cbn [fst snd].
    apply summed_ok; [apply IH | rewrite Rmult_comm; apply among_scaled; auto; apply IH |].
    intros O. rewrite O. pose proof (IH (psub (times u u) (times (times w w) f))) as D.
    rewrite pval_sub, !times_ok, <- S in D by auto.
    replace (pval v w * symbol_value v g * (pval v w * symbol_value v g))
      with (pval v w * pval v w * symbol_value v g ^ 2) by ring. exact D. }
  destruct (plain p). { apply by_shift_ok; auto. }
  destruct (two_angles p) as [[[[w c] [a b]] [d e]]|] eqn:A.
  { destruct (sure_monomial w <&> _ <&> _ <&> _ <&> _) eqn:K; [|apply among_any].
    do 4 (apply both_true in K as [K ?]). apply (sure_monomial_positive v V) in K.
    assert (E : pval v p = IZR c * (mval v w * (acos (pval v a / pval v b) - acos (pval v d / pval v e))) /\ 0 < pval v b /\ 0 < pval v e).
    { unfold two_angles in A. destruct p as [|[m1 c1] [|[m2 c2] [|[m3 c3] [|]]]]; try discriminate.
      - destruct (angle_in m1) as [[w1 a1]|] eqn:L; [|discriminate]. injection A as <- <- E1 <- <-. subst a1.
        destruct (angle_in_ok v m1 _ _ V L) as [E1 E2]. cbn [fst snd] in *. rewrite pval_cons, pval_nil, E1, pval_one.
        replace (1 / 1) with 1 by field. rewrite acos_1. split; [ring | split; [auto | lra]].
      - destruct (angle_in m1) as [[w1 a1]|] eqn:L; [|discriminate]. destruct (angle_in m2) as [[w2 a2]|] eqn:L2; [|discriminate].
        destruct (mcmp w1 w2) eqn:M; try discriminate. apply mcmp_eq in M. subst w2.
        destruct (angle_in_ok v m1 _ _ V L) as [E1 E2]. destruct (angle_in_ok v m2 _ _ V L2) as [E3 E4].
        destruct (Z.eqb_spec (c1 + c2) 0) as [Z|_].
        { injection A as <- <- E5 E6. subst a1 a2. cbn [fst snd] in *.
          rewrite !pval_cons, pval_nil, E1, E3. replace c2 with (- c1)%Z by lia. rewrite opp_IZR. split; [ring | auto]. }
        destruct ((c1 + 2 * c2 =? 0)%Z <&> _ <&> _) eqn:C; [|discriminate]. apply both_true in C as [C C3].
        apply both_true in C as [C C2]. apply Z.eqb_eq in C. apply peq_eq in C2, C3. injection A as <- <- E5 <- <-. subst a1.
        cbn [fst snd] in *. rewrite !pval_cons, !pval_nil, E1, E3, C2, C3, pval_opp, pval_one.
        replace (- (1) / 1) with (- (1)) by field. replace (0 / 1) with 0 by field. rewrite acos_opp, acos_1, acos_0.
        replace c1 with (-2 * c2)%Z by lia. rewrite mult_IZR. split; [field | lra].
      - destruct (angle_in m1) as [[w1 a1]|] eqn:L1; [|discriminate]. destruct (angle_in m2) as [[w2 a2]|] eqn:L2; [|discriminate].
        destruct (angle_in m3) as [[w3 [a3 b3]]|] eqn:L3; [|discriminate].
        destruct (mcmp w1 w2) eqn:M1; try discriminate. apply mcmp_eq in M1. subst w2.
        destruct (mcmp w1 w3) eqn:M2; try discriminate. apply mcmp_eq in M2. subst w3. cbn [fst snd] in A.
        destruct ((c1 =? c2)%Z <&> _ <&> _ <&> _) eqn:C; [|discriminate]. apply both_true in C as [C C4].
        apply both_true in C as [C C3]. apply both_true in C as [C C2].
        apply Z.eqb_eq in C, C2. apply peq_eq in C3, C4. subst a3 b3 c2. injection A as <- <- E1 <- <-. subst a1.
        destruct (angle_in_ok v m1 _ _ V L1) as [E1 E2]. destruct (angle_in_ok v m2 _ _ V L2) as [E3 E4].
        destruct (angle_in_ok v m3 _ _ V L3) as [E5 _]. cbn [fst snd] in *.
        rewrite !pval_cons, pval_nil, E1, E3, E5, !pval_opp, pval_one. replace c3 with (- c1)%Z by lia. rewrite opp_IZR.
        replace (- (1) / 1) with (- (1)) by field. rewrite acos_opp, acos_1.
        replace (- pval v (fst a2) / pval v (snd a2)) with (- (pval v (fst a2) / pval v (snd a2))) by (unfold Rdiv; ring).
        rewrite acos_opp. split; [ring | auto]. }
    destruct E as (E & B1 & B2). rewrite E.
    pose proof (IH (psub b a)) as Q1. pose proof (IH (padd b a)) as Q2. pose proof (IH (psub e d)) as Q3. pose proof (IH (padd e d)) as Q4.
    apply not_below_ok in Q1, Q2, Q3, Q4; auto. rewrite pval_sub in Q1, Q3. rewrite pval_add in Q2, Q4.
    assert (R : forall y z, 0 < z -> 0 <= z - y -> 0 <= z + y -> -1 <= y / z <= 1).
    { intros y z Z1 Z2 Z3. split; apply Rmult_le_reg_r with z; auto; replace (y / z * z) with y by (field; lra); lra. }
    assert (S : among (sign n x (psub (times d b) (times a e))) (acos (pval v a / pval v b) - acos (pval v d / pval v e))).
    { apply acos_falls; try (apply R; auto; fail). pose proof (IH (psub (times d b) (times a e))) as T.
      rewrite pval_sub, !times_ok in T by auto.
      replace (pval v d / pval v e - pval v a / pval v b) with (/ (pval v b * pval v e) * (pval v d * pval v b - pval v a * pval v e))
        by (field; lra).
      apply among_scaled; auto. apply Rinv_0_lt_compat, Rmult_lt_0_compat; auto. }
    destruct c as [|c|c]; [apply among_any | |].
    - rewrite <- Rmult_assoc. apply among_scaled; auto. apply Rmult_lt_0_compat; auto. apply IZR_lt. reflexivity.
    - replace (IZR (Zneg c)) with (- IZR (Zpos c)) by (rewrite <- opp_IZR; reflexivity). rewrite Ropp_mult_distr_l_reverse.
      apply among_turned. rewrite <- Rmult_assoc. apply among_scaled; auto. apply Rmult_lt_0_compat; auto. apply IZR_lt. reflexivity. }
  destruct p as [|[m c] p']; [exists Eq; split; [simpl; auto | reflexivity]|]. set (p := (m, c) :: p') in *.
  destruct (log_in m) as [[w f]|]; [|apply B].
  destruct (sure_monomial w) eqn:W; [|apply B].
  destruct (one_product w p) as [[a b]|] eqn:E; [|apply B]. apply (one_product_ok v V) in E as (A1 & B1 & E).
  rewrite E. apply order_of_logs; auto. { apply sure_monomial_positive; auto. } rewrite <- pval_sub. apply IH.
Qed.

(* Which polynomials' signs would help, where a sign is not known. Nothing depends on this. *)
Fixpoint unknown (fuel : nat) (x : context) (p : poly) : list poly :=
  match fuel with
  | O => [p]
  | S n =>
      match first_root p with
      | Some (g, f) =>
          let '(u, w) := parted g p in let su := sign n x u in let sw := sign n x w in
          (if definite su then [] else unknown n x u) ++ (if definite sw then [] else unknown n x w) ++
          unknown n x (psub (times u u) (times (times w w) f))
      | None =>
          match two_angles p with
          | Some (w, c, (a, b), (d, e)) => unknown n x (psub (times d b) (times a e)) ++ unknown n x (psub b a) ++ unknown n x (padd b a)
          | None =>
              match p with
              | (m, _) :: _ =>
                  match log_in m with
                  | Some (w, _) => match one_product w p with Some (a, b) => unknown n x (psub a b) | None => [p] end
                  | None => [p]
                  end
              | [] => []
              end
          end
      end
  end.
