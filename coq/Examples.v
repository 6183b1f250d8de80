(* Values on given counts: examples, and what they refute. *)
From Coq Require Import Reals ZArith QArith Qreals List Bool Lra Lia PeanoNat.
From Goodmeasure Require Import Tree Polynomials Signs Fractions Reading Cases Statements Supports Comparing Definedness Averages.
Import ListNotations.
Local Open Scope R_scope.

Definition known_to (ok : comparison -> bool) : decision := fun c rs =>
  match rs with
  | [Known x; Known y] => let s := compared fuel c x y in if every ok s then Yes else No
  | _ => No
  end.
Definition are_so (ok : comparison -> bool) (xs : list (option R)) : Prop :=
  exists x y c, xs = [Some x; Some y] /\ ok c = true /\ sign_is c (x - y).
Lemma known_to_ok : forall ok, decides (known_to ok) (are_so ok).
Proof.
  intros ok w v rs xs G H D. destruct H as [|a x rs xs A H]; [discriminate|]. destruct H as [|b y rs xs B H]; [destruct a; discriminate|].
  destruct H; [|destruct a, b; discriminate]. destruct a as [p| |]; destruct b as [q| |]; try discriminate D.
  destruct A as [-> P], B as [-> Q]. cbn [known_to] in D. cbv zeta in D. pose proof (compared_ok w v G fuel p q P Q) as (c & I & S).
  exists (fraction_value v p), (fraction_value v q), c. repeat split; auto.
  destruct (every ok (compared fuel w p q)) eqn:E; [|discriminate]. rewrite every_forall in E. auto.
Qed.
(* A matrix by the list of its cells *)
Definition no_effort := Effort 0 0.
Definition decided_at (rs : list reading) (D : decision) : bool := decided no_effort counts_are_whole 0 rs D.
Lemma decided_at_ok : forall rs D post cs, decides D post -> Forall2 (fun r c => describes (fun _ => 1) 0 c (cells_from r)) rs cs ->
  decided_at rs D = true -> post (map (fun x => value (fst x) (snd x)) (combine cs (map formula rs))).
Proof.
  intros rs D post cs S F H.
  assert (G : good counts_are_whole (fun _ => 1)).
  { repeat split; try (intros; contradiction); [intros; lra | intros; exists O; reflexivity]. }
  apply (settled_ok rs D (breadth no_effort) post S (fun _ => 1) cs 0 F (depth no_effort) counts_are_whole (variables 0) (fun _ => 1)); auto.
  apply variables_fit. apply G.
Qed.
Definition values_are ok (f g : formulas) (y z : list nat) : bool := decided_at (two (fixed y) (fixed z) f g) (known_to ok).
Lemma values_are_ok : forall ok f g y z, values_are ok f g y z = true ->
  exists a b c, M f (counts_of y) = Some a /\ M g (counts_of z) = Some b /\ ok c = true /\ sign_is c (a - b).
Proof.
  intros ok f g y z H.
  apply (decided_at_ok _ _ (are_so ok) [fun k => INR (counts_of y k); fun k => INR (counts_of z k)]) in H; [| apply known_to_ok |].
  - destruct H as (a & b & c & E & O & S). injection E as E1 E2. exists a, b, c. auto.
  - apply Forall2_cons; [apply fixed_ok|]. apply Forall2_cons; [apply fixed_ok | apply Forall2_nil].
Qed.
Definition is_defined_at (b : bool) (f : formulas) (z : list nat) : bool := decided_at (one_reading (fixed z) f) (state b).
Lemma is_defined_at_ok : forall b f z, is_defined_at b f z = true -> if b then M f (counts_of z) <> None else M f (counts_of z) = None.
Proof.
  intros b f z H. apply (decided_at_ok _ _ (in_state b) [fun k => INR (counts_of z k)]) in H; [| apply state_ok |].
  - destruct H as (x & E & X). injection E as E. unfold M. rewrite E. exact X.
  - apply Forall2_cons; [apply fixed_ok | apply Forall2_nil].
Qed.

Theorem gives_value_proved : forall f l e, decided_at (with_constant (fixed l) f e) equal_values = true -> gives_value f l e.
Proof.
  intros f l e H. apply (decided_at_ok _ _ are_equal [fun k => INR (counts_of l k); fun _ => 0]) in H; [| apply equal_values_ok |].
  - destruct H as (x & E). injection E as E1 E2. split; [|congruence].
    change (value (fun k => INR (counts_of l k)) f = value (fun _ => 0) [e]). congruence.
  - apply Forall2_cons; [apply fixed_ok|]. apply Forall2_cons; [apply nowhere_ok | apply Forall2_nil].
Qed.
Theorem gives_nothing_proved : forall f l, is_defined_at false f l = true -> gives_nothing f l.
Proof. intros f l H. exact (is_defined_at_ok false f l H). Qed.
Definition check_values f (examples : list (list nat * option expr)) : bool :=
  every (fun x => match snd x with
                  | Some e => decided_at (with_constant (fixed (fst x)) f e) equal_values
                  | None => is_defined_at false f (fst x)
                  end) examples.
Theorem values_proved : forall f examples, check_values f examples = true -> has_values f examples.
Proof.
  intros f examples H x X. unfold check_values in H. rewrite every_forall in H. specialize (H x X).
  destruct (snd x); [apply gives_value_proved | apply gives_nothing_proved]; exact H.
Qed.

(* Opitz, Property II: an example proves it. *)
Definition differ (c : comparison) : bool := match c with Eq => false | _ => true end.
Definition increased_at (k : nat) (l : list nat) : list nat := map (fun i => (nth i l 0 + if (i =? k)%nat then 1 else 0)%nat) (seq 0 (length l)).
Lemma increased_at_ok : forall k l i, (k < length l)%nat -> counts_of (increased_at k l) i = plus (counts_of l) [k] i.
Proof.
  intros k l i K. unfold counts_of, increased_at, plus, count. cbn [count_occ]. destruct (Nat.ltb_spec i (length l)).
  - set (g := fun i => (nth i l 0 + (if (i =? k)%nat then 1 else 0))%nat). rewrite nth_indep with (d' := g 0%nat) by (rewrite map_length, seq_length; auto).
    rewrite map_nth, seq_nth by auto. unfold g. destruct (Nat.eq_dec k i), (Nat.eqb_spec (0 + i) k); simpl; lia.
  - rewrite !nth_overflow by (rewrite ?map_length, ?seq_length; auto). destruct (Nat.eq_dec k i); simpl; lia.
Qed.
Definition check_sensitive m (D : domain) f (l : list nat) (k j : nat) : bool :=
  let p z := pattern (m * m) (counts_of z) in
  (length l =? m * m)%nat <&> (k <? m * m)%nat <&> (j <? m * m)%nat <&> alike m k j <&> D m (p l) <&> D m (p (increased_at k l)) <&>
  D m (p (increased_at j l)) <&> values_are differ f f (increased_at k l) (increased_at j l).
Theorem sensitive_proved : forall l k j m D f, check_sensitive m D f l k j = true -> opitz_class_sensitive m D f.
Proof.
  intros l k j m D f H. unfold check_sensitive in H. cbv zeta in H. apply both_true in H as [H V]. apply both_true in H as [H D3].
  apply both_true in H as [H D2]. apply both_true in H as [H D1]. apply both_true in H as [H A]. apply both_true in H as [H J].
  apply both_true in H as [L K]. apply Nat.eqb_eq in L. apply Nat.ltb_lt in K, J.
  destruct (values_are_ok _ _ _ _ _ V) as (x & y & c & X & Y & O & S).
  assert (EK : forall i, counts_of (increased_at k l) i = plus (counts_of l) [k] i) by (intros; apply increased_at_ok; lia).
  assert (EJ : forall i, counts_of (increased_at j l) i = plus (counts_of l) [j] i) by (intros; apply increased_at_ok; lia).
  rewrite (pattern_ext _ _ _ EK) in D2. rewrite (pattern_ext _ _ _ EJ) in D3. rewrite (M_ext f _ _ EK) in X. rewrite (M_ext f _ _ EJ) in Y.
  exists (counts_of l), k, j, x, y. repeat split; auto.
  - apply counts_of_matrix. rewrite L. apply Nat.leb_refl.
  - destruct c; try discriminate; unfold sign_is in S; lra.
Qed.
Theorem insensitive_proved : forall e m D f, check_indifferent e m D f = true -> ~ opitz_class_sensitive m D f.
Proof.
  intros e m D f C (z & k & l & x & y & Z & K & L & A & D0 & D1 & D2 & X & Y & N).
  exact (N (indifferent_proved e m D f C k l K L A z Z D1 D2 x y X Y)).
Qed.

(* Moves: of the common part z by the i-th move *)
Definition wrong_order (rises strict : bool) (c : comparison) : bool := negb (in_order rises strict c).
Definition with_items (l items : list nat) (n : nat) : list nat := map (fun k => (nth k l 0 + count k items)%nat) (seq 0 n).
Lemma with_items_ok : forall l items n, (length l <=? n)%nat = true -> every (fun k => (k <? n)%nat) items = true ->
  forall k, counts_of (with_items l items n) k = plus (counts_of l) items k.
Proof.
  intros l items n L I k. apply Nat.leb_le in L. unfold counts_of, with_items, plus. destruct (Nat.ltb_spec k n).
  - set (g := fun k => (nth k l 0 + count k items)%nat). rewrite nth_indep with (d' := g 0%nat) by (rewrite map_length, seq_length; auto).
    rewrite map_nth, seq_nth by auto. reflexivity.
  - rewrite !nth_overflow by (rewrite ?map_length, ?seq_length; lia). rewrite every_forall in I.
    assert (count k items = 0%nat); [|lia]. apply count_occ_not_In. intros J. apply I in J. apply Nat.ltb_lt in J. lia.
Qed.
Definition refute_moves n (D : list bool -> bool) side strict (moves : list move) f (l : list nat) (i : nat) : bool :=
  match nth_error moves i with
  | Some v =>
      let y := with_items l (takes v) n in let z := with_items l (gives v) n in
      let s := pattern n (counts_of y) in let t := pattern n (counts_of z) in
      (length l <=? n)%nat <&> every (fun k => (k <? n)%nat) (takes v) <&> every (fun k => (k <? n)%nat) (gives v) <&>
      D s <&> D t <&> side s t <&> values_are (wrong_order (rises v) strict) f f y z
  | None => false
  end.
Theorem moves_refuted : forall l i n D side strict moves f, refute_moves n D side strict moves f l i = true ->
  ~ moves_hold n D side strict moves f.
Proof.
  intros l i n D side strict moves f H C. unfold refute_moves in H. destruct (nth_error moves i) as [v|] eqn:V; [|discriminate].
  cbv zeta in H. apply both_true in H as [H W]. apply both_true in H as [H S]. apply both_true in H as [H D2].
  apply both_true in H as [H D1]. apply both_true in H as [H G]. apply both_true in H as [L T].
  pose proof (with_items_ok l _ n L T) as EY. pose proof (with_items_ok l _ n L G) as EZ.
  destruct (values_are_ok _ _ _ _ _ W) as (x & y & c & X & Y & O & Q).
  rewrite (pattern_ext _ _ _ EY) in D1, S. rewrite (pattern_ext _ _ _ EZ) in D2, S.
  rewrite (M_ext f _ _ EY) in X. rewrite (M_ext f _ _ EZ) in Y.
  pose proof (C (counts_of l) (counts_of_matrix n l L) v (nth_error_In _ _ V) D1 D2 S x y X Y) as R_.
  destruct (rises v), strict, c; try discriminate; unfold sign_is, right_order in *; lra.
Qed.

(* Extremes: y is extreme, and z another extreme matrix with a different value, or no extreme one and as good *)
Definition refute_extreme n (D at_ : list bool -> bool) (greatest : bool) f (y z : list nat) : bool :=
  let s := pattern n (counts_of y) in let t := pattern n (counts_of z) in
  (length y <=? n)%nat <&> (length z <=? n)%nat <&> D s <&> D t <&> at_ s <&>
  values_are (if at_ t then differ else fun c => match c with Eq => true | Lt => greatest | Gt => negb greatest end) f f y z.
Theorem extreme_refuted : forall y z n D at_ greatest f, refute_extreme n D at_ greatest f y z = true -> ~ extreme n D at_ greatest f.
Proof.
  intros y z n D at_ greatest f H [c C]. unfold refute_extreme in H. cbv zeta in H. apply both_true in H as [H W].
  apply both_true in H as [H A]. apply both_true in H as [H D2]. apply both_true in H as [H D1]. apply both_true in H as [LY LZ].
  destruct (values_are_ok _ _ _ _ _ W) as (a & b & s & X & Y & O & Q).
  destruct (C _ (counts_of_matrix n y LY) D1 a X) as [A1 A2]. destruct (C _ (counts_of_matrix n z LZ) D2 b Y) as [B1 B2].
  apply A2 in A. destruct (at_ (pattern n (counts_of z))) eqn:T.
  - assert (b = c) by (apply B2; auto). destruct s; try discriminate; unfold sign_is in Q; lra.
  - destruct B2 as [B2 _]. assert (b <> c) by (intro E; apply B2 in E; discriminate).
    destruct s, greatest; try discriminate; unfold sign_is in Q; lra.
Qed.

(* Invariances *)
Definition image_list n (g : nat -> nat) (l : list nat) : list nat := map (fun k => nth (g k) l 0%nat) (seq 0 n).
Lemma image_list_ok : forall n g l k, counts_of (image_list n g l) k = image n g (counts_of l) k.
Proof.
  intros n g l k. unfold counts_of, image_list, image. destruct (Nat.ltb_spec k n).
  - rewrite nth_indep with (d' := nth (g 0%nat) l 0%nat) by (rewrite map_length, seq_length; auto).
    rewrite (map_nth (fun k => nth (g k) l 0%nat)), seq_nth by auto. auto.
  - apply nth_overflow. rewrite map_length, seq_length. auto.
Qed.
Definition refute_invariant n (D : list bool -> bool) g f (l : list nat) : bool :=
  (length l <=? n)%nat <&> D (pattern n (counts_of l)) <&> D (pattern n (counts_of (image_list n g l))) <&>
  values_are differ f f l (image_list n g l).
Theorem invariant_refuted : forall l n D g f, refute_invariant n D g f l = true -> ~ invariant n D g f.
Proof.
  intros l n D g f H C. unfold refute_invariant in H. apply both_true in H as [H W]. apply both_true in H as [H D2].
  apply both_true in H as [L D1]. destruct (values_are_ok _ _ _ _ _ W) as (a & b & s & X & Y & O & Q).
  rewrite (pattern_ext _ _ _ (image_list_ok n g l)) in D2. rewrite (M_ext f _ _ (image_list_ok n g l)) in Y.
  pose proof (C _ (counts_of_matrix n l L) D1 D2 a b X Y). destruct s; try discriminate; unfold sign_is in Q; lra.
Qed.
Theorem symmetry_refuted : forall l m D f, refute_invariant (m * m) (D m) (transposed m) f l = true -> ~ symmetry m D f.
Proof. intros l m D f. apply invariant_refuted. Qed.
Theorem class_symmetry_refuted : forall l i m D f,
  match nth_error (permutations (classes m)) i with Some p => refute_invariant (m * m) (D m) (renamed m p) f l | None => false end = true ->
  ~ class_symmetry m D f.
Proof.
  intros l i m D f H C. destruct (nth_error _ i) as [p|] eqn:P; [|discriminate].
  exact (invariant_refuted l _ _ _ _ H (C p (nth_error_In _ _ P))).
Qed.
Definition multiplied n (factor : nat -> nat) (r l : list nat) : list nat := map (fun k => (nth (factor k) r 1 * nth k l 0)%nat) (seq 0 n).
Definition refute_scaling n (D : list bool -> bool) factor f (l r : list nat) : bool :=
  (length l <=? n)%nat <&> D (pattern n (counts_of l)) <&> every (fun i => (0 <? i)%nat) r <&> values_are differ f f l (multiplied n factor r l).
Theorem scaling_refuted : forall l r n D factor f, refute_scaling n D factor f l r = true -> ~ scaling n D factor f.
Proof.
  intros l r n D factor f H C. unfold refute_scaling in H. apply both_true in H as [H W]. apply both_true in H as [H P].
  apply both_true in H as [L D1]. destruct (values_are_ok _ _ _ _ _ W) as (a & b & s & X & Y & O & Q).
  assert (E : a = b).
  { apply (C _ (counts_of_matrix n l L) D1 (fun i => INR (nth i r 1%nat))) with (x := a) (y := b); auto.
    - intros i. apply (lt_INR 0). rewrite every_forall in P. destruct (Nat.ltb_spec i (length r)).
      + apply Nat.ltb_lt, P, nth_In. auto.
      + rewrite nth_overflow by auto. lia.
    - rewrite <- Y. unfold M. apply value_ext. intros k. rewrite <- mult_INR. f_equal. unfold counts_of, multiplied.
      destruct (Nat.ltb_spec k n).
      + set (g := fun k => (nth (factor k) r 1 * nth k l 0)%nat). change (g k = nth k (map g (seq 0 n)) 0%nat).
        rewrite (nth_indep (map g (seq 0 n)) 0%nat (g 0%nat)) by (rewrite map_length, seq_length; auto).
        rewrite map_nth, seq_nth by auto. auto.
      + rewrite (nth_overflow (map _ _)) by (rewrite map_length, seq_length; auto). apply Nat.leb_le in L.
        rewrite (nth_overflow l) by lia. lia. }
  subst. destruct s; try discriminate; unfold sign_is in Q; lra.
Qed.

(* Guesses: two pairs of class sizes with different values *)
Definition guess m (a b : list nat) (t : list fraction) (k : nat) : outcome :=
  Known (if (k <? m * m)%nat then number (Z.of_nat (nth (k / m) a 0 * nth (k mod m) b 0)%nat) (Pos.of_nat (total m (counts_of a))) else zero).
Lemma guess_ok : forall v n m a b, (0 < total m (counts_of a))%nat -> describes v n (guessed m (counts_of a) (counts_of b)) (guess m a b).
Proof.
  intros v n m a b N t v' w T G F k. unfold guess, guessed. destruct (k <? m * m)%nat; [|destruct (zero_ok v') as [A B]; simpl; rewrite A; auto].
  destruct (number_ok v' (Z.of_nat (nth (k / m) a 0 * nth (k mod m) b 0)%nat) (Pos.of_nat (total m (counts_of a)))) as [A B].
  cbn [means]. rewrite A. split; auto. f_equal. unfold counts_of at 1 2. rewrite <- INR_IZR_INZ, mult_INR. f_equal.
  rewrite INR_IZR_INZ. f_equal. rewrite <- (Nat2Pos.id (total m (counts_of a))) at 1 by lia. rewrite positive_nat_Z. auto.
Qed.
Definition good_sizes m (D : domain) (side : list bool -> bool) (a b : list nat) : bool :=
  (total m (counts_of a) =? total m (counts_of b))%nat <&> (0 <? total m (counts_of a))%nat <&> side (pattern m (counts_of b)) <&>
  D m (crossed m (pattern m (counts_of a)) (pattern m (counts_of b))).
Definition refute_independent m (D : domain) side f (a b c d : list nat) : bool :=
  good_sizes m D side a b <&> good_sizes m D side c d <&> decided_at (two (guess m a b) (guess m c d) f f) (known_to differ).
Lemma good_sizes_ok : forall m D side a b, good_sizes m D side a b = true -> same_totals m D (counts_of a) (counts_of b) /\ side (pattern m (counts_of b)) = true.
Proof.
  intros m D side a b H. unfold good_sizes in H. apply both_true in H as [H DH]. apply both_true in H as [H S]. apply both_true in H as [H N].
  apply Nat.eqb_eq in H. apply Nat.ltb_lt in N. repeat split; auto.
Qed.
Theorem independent_refuted : forall a b c d m D side f, refute_independent m D side f a b c d = true -> ~ independent m D side f.
Proof.
  intros a b c d m D side f H [x X]. unfold refute_independent in H. apply both_true in H as [H W]. apply both_true in H as [H1 H2].
  destruct (good_sizes_ok _ _ _ _ _ H1) as [T1 S1]. destruct (good_sizes_ok _ _ _ _ _ H2) as [T2 S2].
  apply (decided_at_ok _ _ (are_so differ) [guessed m (counts_of a) (counts_of b); guessed m (counts_of c) (counts_of d)]) in W; [| apply known_to_ok |].
  - destruct W as (u & w & s & E & O & Q). injection E as E1 E2. rewrite (X _ _ T1 S1 u E1), (X _ _ T2 S2 w E2) in Q.
    destruct s; try discriminate; unfold sign_is in Q; lra.
  - destruct T1 as (_ & N1 & _), T2 as (_ & N2 & _). apply Forall2_cons; [apply guess_ok; auto|]. apply Forall2_cons; [apply guess_ok; auto | apply Forall2_nil].
Qed.

(* Definedness *)
Definition refute_sde m (D : domain) f l : bool := (length l <=? m * m)%nat <&> D m (pattern (m * m) (counts_of l)) <&> is_defined_at false f l.
Theorem sde_refuted : forall l m D f, refute_sde m D f l = true -> ~ sebastiani_sde m D f.
Proof.
  intros l m D f H C. unfold refute_sde in H. apply both_true in H as [H U]. apply both_true in H as [L DL].
  exact (C _ (counts_of_matrix _ l L) DL (is_defined_at_ok false f l U)).
Qed.
Definition same_rows_of m (y z : list nat) : bool := every (fun i => (row m (counts_of y) i =? row m (counts_of z) i)%nat) (classes m).
Lemma same_rows_of_ok : forall m y z, same_rows_of m y z = true -> same_true_sizes m (counts_of y) (counts_of z).
Proof. intros m y z H i I. unfold same_rows_of in H. rewrite every_forall in H. apply Nat.eqb_eq, H, in_seq. lia. Qed.
Definition refute_wde m (D : domain) f y z : bool :=
  (length y <=? m * m)%nat <&> (length z <=? m * m)%nat <&> D m (pattern (m * m) (counts_of y)) <&> D m (pattern (m * m) (counts_of z)) <&>
  same_rows_of m y z <&> is_defined_at false f y <&> is_defined_at true f z.
Theorem wde_refuted : forall y z m D f, refute_wde m D f y z = true -> ~ sebastiani_wde m D f.
Proof.
  intros y z m D f H C. unfold refute_wde in H. apply both_true in H as [H V]. apply both_true in H as [H U]. apply both_true in H as [H S].
  apply both_true in H as [H DZ]. apply both_true in H as [H DY]. apply both_true in H as [LY LZ].
  exact (is_defined_at_ok true f z V (C _ _ (counts_of_matrix _ y LY) (counts_of_matrix _ z LZ) DY DZ (same_rows_of_ok m y z S) (is_defined_at_ok false f y U))).
Qed.
Definition refute_imb m (D : domain) f j y z : bool :=
  (j <? m)%nat <&> (length y <=? m * m)%nat <&> (length z <=? m * m)%nat <&> D m (constant_prediction m j) <&>
  same (pattern (m * m) (counts_of y)) (constant_prediction m j) <&> same (pattern (m * m) (counts_of z)) (constant_prediction m j) <&>
  values_are differ f f y z.
Lemma same_eq : forall s t, same s t = true -> s = t.
Proof.
  induction s as [|x s IH]; intros [|y t] H; auto; try discriminate. cbn [same] in H. apply both_true in H as [A B].
  apply eqb_prop in A. subst. f_equal. auto.
Qed.
Theorem imb_refuted : forall j y z m D f, refute_imb m D f j y z = true -> ~ sebastiani_imb m D f.
Proof.
  intros j y z m D f H [c C]. unfold refute_imb in H. apply both_true in H as [H W]. apply both_true in H as [H PZ]. apply both_true in H as [H PY].
  apply both_true in H as [H DJ]. apply both_true in H as [H LZ]. apply both_true in H as [J LY]. apply Nat.ltb_lt in J. apply same_eq in PY, PZ.
  destruct (values_are_ok _ _ _ _ _ W) as (a & b & s & X & Y & O & Q).
  rewrite (C j J DJ _ (counts_of_matrix _ y LY) PY a X), (C j J DJ _ (counts_of_matrix _ z LZ) PZ b Y) in Q.
  destruct s; try discriminate; unfold sign_is in Q; lra.
Qed.
