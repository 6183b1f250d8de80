(* Statements that compare two values in each case: moves, extremes, invariances, constants. Each has a checker, and a
   theorem that the checker proves the statement. *)
From Coq Require Import Reals ZArith QArith Qreals List Bool Lra Lia PeanoNat.
From Goodmeasure Require Import Tree Polynomials Signs Fractions Reading Cases Statements Supports.
Import ListNotations.
Local Open Scope R_scope.

(* How deeply cases are split, and how many splits are tried each time *)
Record effort := Effort { depth : nat; breadth : nat }.

Definition compare_two (ok : comparison -> bool) : decision := fun whole rs =>
  match rs with
  | [Nothing; _] | [_; Nothing] => Yes
  | [Known x; Known y] =>
      let s := compared fuel whole x y in
      if every ok s then Yes else if some ok s then Ask (unknown_comparison fuel whole x y) else No
  | [Unknown a; Unknown b] => Ask (a ++ b)
  | [Unknown a; _] | [_; Unknown a] => Ask a
  | _ => No
  end.
Definition compared_so (ok : comparison -> bool) (xs : list (option R)) : Prop :=
  forall x y, xs = [Some x; Some y] -> exists c, ok c = true /\ sign_is c (x - y).
Lemma compare_two_ok : forall ok, decides (compare_two ok) (compared_so ok).
Proof.
  intros ok w v rs xs G H D x y ->. inversion H as [|a x' r' l' A H']; subst. inversion H' as [|b y' r'' l'' B H'']; subst.
  inversion H''; subst. destruct a as [p| |]; [| discriminate A |]; destruct b as [q| |]; try discriminate B; try discriminate D.
  destruct A as [A P], B as [B Q]. injection A as ->. injection B as ->. cbn [compare_two] in D. cbv zeta in D.
  destruct (compared_ok w v G fuel p q P Q) as (c & I & S). exists c. split; auto.
  destruct (every ok (compared fuel w p q)) eqn:F; [|destruct (some _ _); discriminate]. rewrite every_forall in F. auto.
Qed.
Definition decided (e : effort) (whole : context) (n : nat) (rs : list reading) (D : decision) : bool :=
  settled rs D (breadth e) (depth e) whole (variables n).
Definition two (f g : list fraction -> nat -> outcome) (a b : formulas) : list reading := [Reading f a; Reading g b].
Theorem two_compared : forall e whole n f g a b ok v c d x y, good whole v -> describes v n c f -> describes v n d g ->
  decided e whole n (two f g a b) (compare_two ok) = true -> value c a = Some x -> value d b = Some y ->
  exists s, ok s = true /\ sign_is s (x - y).
Proof.
  intros e whole n f g a b ok v c d x y G F K H X Y.
  apply (settled_ok (two f g a b) (compare_two ok) (breadth e) (compared_so ok) (compare_two_ok ok) v [c; d] n) with (u := v) in H;
    auto using variables_length.
  - apply H. simpl. congruence.
  - constructor; [exact F | constructor; [exact K | constructor]].
  - apply variables_fit. apply G.
Qed.

(* Moves *)

Definition in_order (rises strict : bool) (c : comparison) : bool :=
  match c with Eq => negb strict | Lt => rises | Gt => negb rises end.
Lemma in_order_ok : forall rises strict c x y, in_order rises strict c = true -> sign_is c (x - y) -> right_order rises strict x y.
Proof. intros [] [] [] x y H S; try discriminate; simpl in *; lra. Qed.
Definition check_moves e n (D : list bool -> bool) side strict moves f : bool :=
  every (fun v => every (fun s =>
    let before := spread n s (takes v) in let after := spread n s (gives v) in
    negb (D before <&> D after <&> side before after) <|>
    decided e counts_are_whole n (two (moved s (takes v)) (moved s (gives v)) f f) (compare_two (in_order (rises v) strict)))
    (supports n)) moves.
Theorem moves_proved : forall e n D side strict moves f,
  check_moves e n D side strict moves f = true -> moves_hold n D side strict moves f.
Proof.
  intros e n D side strict moves f H z Z v V D1 D2 S x y X Y. unfold check_moves in H. rewrite every_forall in H.
  specialize (H v V). rewrite every_forall in H. specialize (H _ (in_pattern n z)). cbv zeta in H.
  rewrite <- !spread_ok, D1, D2, S in H by auto. cbn [andb negb orb] in H.
  destruct (two_compared _ _ _ _ _ _ _ _ _ _ _ x y (numbers_good z) (moved_ok n z _ Z) (moved_ok n z _ Z) H X Y) as (c & O & C).
  eapply in_order_ok; eauto.
Qed.
Definition check_indifferent e m (D : domain) f : bool :=
  let n := (m * m)%nat in
  every (fun k => every (fun l => negb (alike m k l) <|> (k =? l)%nat <|> every (fun s =>
    negb (D m (spread n s [k]) <&> D m (spread n s [l])) <|>
    decided e counts_are_whole n (two (moved s [k]) (moved s [l]) f f) (compare_two (holds Equal)))
    (supports n)) (seq 0 n)) (seq 0 n).
Theorem indifferent_proved : forall e m D f, check_indifferent e m D f = true -> opitz_class_indifferent m D f.
Proof.
  intros e m D f H k l K L A z Z D1 D2 x y X Y. unfold check_indifferent in H. cbv zeta in H. rewrite every_forall in H.
  specialize (H k ltac:(apply in_seq; lia)). rewrite every_forall in H. specialize (H l ltac:(apply in_seq; lia)).
  rewrite A in H. cbn [negb orb] in H. apply one_true in H as [H|H]. { apply Nat.eqb_eq in H. subst. congruence. }
  rewrite every_forall in H. specialize (H _ (in_pattern _ z)). rewrite <- !spread_ok, D1, D2 in H by auto. cbn [andb negb orb] in H.
  destruct (two_compared _ _ _ _ _ _ _ _ _ _ _ x y (numbers_good z) (moved_ok _ z _ Z) (moved_ok _ z _ Z) H X Y) as (c & O & C).
  destruct c; try discriminate. unfold sign_is in C. lra.
Qed.

(* Extremes. The constant is the value of a formula of numbers. *)

Definition constant (c : expr) : R := match value (fun _ => 0) [c] with Some x => x | None => 0 end.
Definition is_constant (c : expr) : bool :=
  match read_measure counts_are_whole (nowhere []) [c] with Known _ => true | _ => false end.
Lemma is_constant_ok : forall c, is_constant c = true -> value (fun _ => 0) [c] = Some (constant c).
Proof.
  intros c H. unfold is_constant in H. pose proof (numbers_good empty) as G.
  pose proof (read_measure_ok counts_are_whole (nowhere []) (numbers_of empty) (fun _ => 0) G
    (nowhere_ok (numbers_of empty) 0 [] (numbers_of empty) _ eq_refl G ltac:(intros k K; inversion K)) [c]) as M.
  destruct (read_measure counts_are_whole (nowhere []) [c]) as [p| |]; try discriminate. destruct M as [M _].
  unfold constant. rewrite M. auto.
Qed.
Definition with_constant (f : list fraction -> nat -> outcome) (a : formulas) (c : expr) := two f nowhere a [c].
Theorem constant_compared : forall e whole n f a c ok v d x, good whole v -> is_constant c = true -> describes v n d f ->
  decided e whole n (with_constant f a c) (compare_two ok) = true -> value d a = Some x ->
  exists s, ok s = true /\ sign_is s (x - constant c).
Proof.
  intros e whole n f a c ok v d x G I F H X.
  exact (two_compared _ _ _ _ _ _ _ _ _ _ _ x (constant c) G F (nowhere_ok v n) H X (is_constant_ok c I)).
Qed.
Definition at_extreme (at_ greatest : bool) (c : comparison) : bool :=
  match c with Eq => at_ | Lt => greatest <&> negb at_ | Gt => negb greatest <&> negb at_ end.
Definition check_extreme e n (D at_ : list bool -> bool) greatest (c : expr) f : bool :=
  is_constant c <&> every (fun s => negb (D s) <|>
    decided e counts_are_whole n (with_constant (on_support s) f c) (compare_two (at_extreme (at_ s) greatest))) (supports n).
Lemma check_extreme_ok : forall e c n D at_ greatest f, check_extreme e n D at_ greatest c f = true ->
  forall z x, matrix n z -> D (pattern n z) = true -> M f z = Some x ->
  (if greatest then x <= constant c else constant c <= x) /\ (x = constant c <-> at_ (pattern n z) = true).
Proof.
  intros e c n D at_ greatest f H z x Z HD X. unfold check_extreme in H. apply both_true in H as [I H].
  rewrite every_forall in H. specialize (H _ (in_pattern n z)). cbv beta in H. rewrite HD in H. cbn [negb orb] in H.
  pose proof (on_support_ok n n z (numbers_of z) Z ltac:(lia) ltac:(auto)) as R_.
  destruct (constant_compared _ _ _ _ _ _ _ _ _ x (numbers_good z) I R_ H X) as (s & O & C).
  destruct s, greatest, (at_ (pattern n z)); simpl in *; try discriminate; split; try lra; split; intros; try lra; auto; discriminate.
Qed.
Theorem extreme_proved : forall e c n D at_ greatest f, check_extreme e n D at_ greatest c f = true -> extreme n D at_ greatest f.
Proof. intros e c n D at_ greatest f H. exists (constant c). intros z Z HD x X. eapply check_extreme_ok; eauto. Qed.

(* Invariances *)

Definition on_image n g (s : list bool) t k : outcome := Known (if (k <? n)%nat then supported s t (g k) else zero).
Definition check_invariant e n (D : list bool -> bool) (g : nat -> nat) f : bool :=
  every (fun s => negb (D s) <|>
    decided e counts_are_whole n (two (on_support s) (on_image n g s) f f) (compare_two (holds Equal))) (supports n).
Theorem invariant_proved : forall e n D g f, check_invariant e n D g f = true -> invariant n D g f.
Proof.
  intros e n D g f H z Z HD _ x y X Y. unfold check_invariant in H. rewrite every_forall in H. specialize (H _ (in_pattern n z)).
  cbv beta in H. rewrite HD in H. cbn [negb orb] in H.
  pose proof (on_support_ok n n z (numbers_of z) Z ltac:(lia) ltac:(auto)) as R_.
  assert (Q : describes (numbers_of z) n (fun k => INR (image n g z k)) (on_image n g (pattern n z))).
  { intros t v' w T G F k. unfold image, on_image. destruct (Nat.ltb_spec k n).
    - destruct (supported_ok n z _ t v' Z ltac:(lia) ltac:(auto) F (g k)) as [A B]. simpl. rewrite A. auto.
    - destruct (zero_ok v') as [A B]. simpl. rewrite A. auto. }
  destruct (two_compared _ _ _ _ _ _ _ _ _ _ _ x y (numbers_good z) R_ Q H X Y) as (c & O & C). destruct c; try discriminate.
  unfold sign_is in C. lra.
Qed.
Theorem symmetry_proved : forall e m D f, check_invariant e (m * m) (D m) (transposed m) f = true -> symmetry m D f.
Proof. intros e m D f. apply invariant_proved. Qed.
Definition check_class_symmetry e m (D : domain) f : bool :=
  every (fun p => check_invariant e (m * m) (D m) (renamed m p) f) (permutations (classes m)).
Theorem class_symmetry_proved : forall e m D f, check_class_symmetry e m D f = true -> class_symmetry m D f.
Proof.
  intros e m D f H p P. unfold check_class_symmetry in H. rewrite every_forall in H. eapply invariant_proved; eauto.
Qed.

(* Scaling: the factors are the variables after the cells. *)

Definition scaled n (factor : nat -> nat) (s : list bool) t k : outcome :=
  Known (if has s k then mul (nth (n + factor k) t zero) (nth k t zero) else zero).
Definition only_counts_are_whole (n : nat) : context := Context (fun k => (k <? n)%nat) [].
Definition check_scaling e n (D : list bool -> bool) (factor : nat -> nat) f : bool :=
  every (fun k => (factor k <? n)%nat) (seq 0 n) <&>
  every (fun s => negb (D s) <|>
    decided e (only_counts_are_whole n) (n + n) (two (on_support s) (scaled n factor s) f f) (compare_two (holds Equal))) (supports n).
Theorem scaling_proved : forall e n D factor f, check_scaling e n D factor f = true -> scaling n D factor f.
Proof.
  intros e n D factor f H z Z HD r R x y X Y. unfold check_scaling in H. apply both_true in H as [I H].
  rewrite every_forall in H, I. specialize (H _ (in_pattern n z)). cbv beta in H. rewrite HD in H. cbn [negb orb] in H.
  set (v := fun k => if (k <? n)%nat then numbers_of z k else r (k - n)%nat).
  assert (G : good (only_counts_are_whole n) v).
  { destruct (numbers_good z) as (N1 & N2 & _). repeat split; try (intros; contradiction); intros k; unfold v; cbn [whole only_counts_are_whole].
    - destruct (k <? n)%nat; auto.
    - intros K. rewrite K. auto. }
  assert (E : forall k, (k < n)%nat -> v k = numbers_of z k). { intros k K. unfold v. destruct (Nat.ltb_spec k n); auto; lia. }
  pose proof (on_support_ok n (n + n) z v Z ltac:(lia) E) as P.
  assert (Q : describes v (n + n) (fun k => r (factor k) * INR (z k)) (scaled n factor (pattern n z))).
  { intros t v' w T GW F k. destruct (supported_ok n z v t v' Z ltac:(lia) E F k) as [A B]. rewrite A. unfold scaled, supported in *.
    destruct (has (pattern n z) k) eqn:K; [|simpl; destruct (zero_ok v') as [A2 B2]; rewrite A2; split; auto; f_equal; ring].
    assert (N : (k < n)%nat). { destruct (Nat.ltb_spec k n); auto. rewrite has_short in K by (rewrite pattern_length; lia). discriminate. }
    assert (FK : (factor k < n)%nat) by (apply Nat.ltb_lt, I, in_seq; lia).
    destruct (F (n + factor k)%nat ltac:(lia)) as [A2 B2]. destruct (mul_ok w v' GW _ _ B2 B) as [O V2].
    simpl. split; auto. f_equal. rewrite O, <- A2. unfold v. destruct (Nat.ltb_spec (n + factor k) n); [lia|]. do 2 f_equal. lia. }
  destruct (two_compared _ _ _ _ _ _ _ _ _ _ _ x y G P Q H X Y) as (c & O & C). destruct c; try discriminate.
  unfold sign_is in C. lra.
Qed.

(* Independent labelings: the variables are a_i and b_j / n. *)

Definition independent_cells m (s t : list bool) (u : list fraction) k : outcome :=
  Known (if (k <? m * m)%nat then
           if has s (k / m) <&> has t (k mod m) then mul (nth (k / m) u zero) (nth (m + k mod m) u zero) else zero
         else zero).
Definition none_is_whole : context := Context (fun _ => false) [].
Definition check_independent e m (D : domain) (side : list bool -> bool) (c : expr) f : bool :=
  is_constant c <&> every (fun s => every (fun t => negb (side t <&> D m (crossed m s t)) <|>
    decided e none_is_whole (m + m) (with_constant (independent_cells m s t) f c) (compare_two (holds Equal))) (supports m)) (supports m).
Lemma list_sum_le : forall (a : counts) l i, In i l -> (a i <= list_sum (map a l))%nat.
Proof. induction l as [|j l IH]; intros i I; [destruct I|]. destruct I as [->|I]; simpl; [lia|]. specialize (IH i I). lia. Qed.
Lemma pattern_short : forall m (a : counts) i, (i < m)%nat -> has (pattern m a) i = (0 <? a i)%nat.
Proof. intros. unfold has, pattern. rewrite nth_table. destruct (Nat.ltb_spec i m); auto; lia. Qed.
Lemma independent_described : forall m a b, total m a = total m b -> (0 < total m a)%nat ->
  exists v, good none_is_whole v /\ describes v (m + m) (guessed m a b) (independent_cells m (pattern m a) (pattern m b)).
Proof.
  intros m a b T N. assert (NR : 0 < INR (total m a)) by (apply (lt_INR 0); auto).
  set (v := fun k => if (k <? m)%nat then numbers_of a k
                     else if (0 <? b (k - m))%nat then INR (b (k - m)%nat) / INR (total m a) else 1).
  assert (G : good none_is_whole v).
  { repeat split; try discriminate; try (intros; contradiction). intro k. unfold v. destruct (k <? m)%nat. { apply (numbers_good a). }
    destruct (Nat.ltb_spec 0 (b (k - m)%nat)); [|lra]. apply Rdiv_lt_0_compat; auto. apply (lt_INR 0); auto. }
  exists v. split; auto. intros u v' w L GW F k. unfold guessed, independent_cells. destruct (zero_ok v') as [Z1 Z2].
  destruct (Nat.ltb_spec k (m * m)); [|simpl; rewrite Z1; auto]. assert (Hm : m <> 0%nat) by (intro; subst; simpl in *; lia).
  assert (K : (k / m < m)%nat) by (apply Nat.div_lt_upper_bound; auto).
  assert (J : (k mod m < m)%nat) by (apply Nat.mod_upper_bound; auto).
  rewrite !pattern_short by auto. simpl.
  destruct (Nat.ltb_spec 0 (a (k / m)%nat)); cbn [andb].
  2: { rewrite Z1. split; auto. f_equal. replace (a (k / m)%nat) with 0%nat by lia. simpl. field. lra. }
  destruct (Nat.ltb_spec 0 (b (k mod m)%nat)); cbn [andb].
  2: { rewrite Z1. split; auto. f_equal. replace (b (k mod m)%nat) with 0%nat by lia. simpl. field. lra. }
  destruct (F (k / m)%nat ltac:(lia)) as [A1 B1]. destruct (F (m + k mod m)%nat ltac:(lia)) as [A2 B2].
  destruct (mul_ok w v' GW _ _ B1 B2) as [O V2]. split; auto. f_equal. rewrite O, <- A1, <- A2. unfold v, numbers_of.
  destruct (Nat.ltb_spec (k / m) m), (Nat.ltb_spec (m + k mod m) m); try lia. replace (m + k mod m - m)%nat with (k mod m)%nat by lia.
  destruct (Nat.ltb_spec 0 (a (k / m)%nat)), (Nat.ltb_spec 0 (b (k mod m)%nat)); try lia. field. lra.
Qed.
Lemma check_independent_ok : forall e c m D side f, check_independent e m D side c f = true ->
  forall a b, same_totals m D a b -> side (pattern m b) = true -> forall x, value (guessed m a b) f = Some x -> x = constant c.
Proof.
  intros e c m D side f H a b (T & N & HD) S x X. unfold check_independent in H. apply both_true in H as [I H].
  rewrite every_forall in H. specialize (H _ (in_pattern m a)). rewrite every_forall in H. specialize (H _ (in_pattern m b)).
  cbv beta in H. rewrite S, HD in H. cbn [andb negb orb] in H. destruct (independent_described m a b T N) as (v & G & P).
  destruct (constant_compared _ _ _ _ _ _ _ _ _ x G I P H X) as (s & O & C). destruct s; try discriminate. unfold sign_is in C. lra.
Qed.
Theorem independent_proved : forall e c m D side f, check_independent e m D side c f = true -> independent m D side f.
Proof. intros e c m D side f H. exists (constant c). intros a b T S x X. eapply check_independent_ok; eauto. Qed.

(* Constant predictions *)

Definition check_imb e m (D : domain) (cs : list expr) f : bool :=
  every (fun j => negb (D m (constant_prediction m j)) <|>
    let c := nth j cs (Const 0 1) in is_constant c <&>
    decided e counts_are_whole (m * m) (with_constant (on_support (constant_prediction m j)) f c) (compare_two (holds Equal))) (classes m).
Theorem imb_proved : forall e cs m D f, check_imb e m D cs f = true -> sebastiani_imb m D f.
Proof.
  intros e cs m D f H. exists (fun j => constant (nth j cs (Const 0 1))). intros j J HD z Z P x X. unfold check_imb in H.
  rewrite every_forall in H. specialize (H j ltac:(apply in_seq; lia)). cbv beta in H. rewrite HD in H. cbn [negb orb] in H.
  cbv zeta in H. apply both_true in H as [I H]. rewrite <- P in H.
  pose proof (on_support_ok (m * m) (m * m) z (numbers_of z) Z ltac:(lia) ltac:(auto)) as R_.
  destruct (constant_compared _ _ _ _ _ _ _ _ _ x (numbers_good z) I R_ H X) as (s & O & C). destruct s; try discriminate.
  unfold sign_is in C. lra.
Qed.
