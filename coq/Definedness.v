(* Where a measure has a value, and which values it has for given true class sizes. *)
From Coq Require Import Reals ZArith QArith Qreals List Bool Lra Lia PeanoNat.
From Goodmeasure Require Import Tree Polynomials Signs Fractions Reading Cases Statements Supports Comparing.
Import ListNotations.
Local Open Scope R_scope.

Definition one_reading (f : list fraction -> nat -> outcome) (a : formulas) : list reading := [Reading f a].
Definition state (defined : bool) : decision := fun _ rs =>
  match rs with
  | [Known _] => if defined then Yes else No
  | [Nothing] => if defined then No else Yes
  | [Unknown about] => Ask about
  | _ => No
  end.
Definition in_state (defined : bool) (xs : list (option R)) : Prop :=
  exists x, xs = [x] /\ (if defined then x <> None else x = None).
Lemma state_ok : forall b, decides (state b) (in_state b).
Proof.
  intros b w v rs xs G H D. destruct H as [|r x rs xs A H]; [discriminate|].
  destruct H; [|destruct r; discriminate]. exists x. split; auto.
  destruct r; cbn [state] in D; destruct b; try discriminate; simpl in A; [destruct A as [-> _]; discriminate | auto].
Qed.
Theorem state_decided : forall e c n f a v d b, good c v -> describes v n d f ->
  decided e c n (one_reading f a) (state b) = true -> if b then value d a <> None else value d a = None.
Proof.
  intros e c n f a v d b G F H.
  apply (settled_ok (one_reading f a) (state b) (breadth e) (in_state b) (state_ok b) v [d] n) with (u := v) in H;
    auto using variables_length.
  - destruct H as (x & E & X). injection E as <-. exact X.
  - constructor; [exact F | constructor].
  - apply variables_fit. apply G.
Qed.

Definition check_state e m (b : bool) f (s : list bool) : bool :=
  decided e counts_are_whole (m * m) (one_reading (on_support s) f) (state b).
Lemma check_state_ok : forall e m b f z, matrix (m * m) z -> check_state e m b f (pattern (m * m) z) = true ->
  if b then M f z <> None else M f z = None.
Proof.
  intros e m b f z Z H. exact (state_decided _ _ _ _ _ _ _ _ (numbers_good z) (on_support_ok _ _ z (numbers_of z) Z (le_n _) (fun _ _ => eq_refl)) H).
Qed.

(* Sebastiani, Axiom 3 *)
Definition check_sde e m (D : domain) f : bool := every (fun s => negb (D m s) <|> check_state e m true f s) (supports (m * m)).
Theorem sde_proved : forall e m D f, check_sde e m D f = true -> sebastiani_sde m D f.
Proof.
  intros e m D f H z Z HD. unfold check_sde in H. rewrite every_forall in H. specialize (H _ (in_pattern _ z)).
  cbv beta in H. rewrite HD in H. exact (check_state_ok e m true f z Z H).
Qed.

(* The supports of the predictions for the test sets in which certain classes occur *)
Definition rows (m : nat) (s : list bool) : list bool := map (fun i => existsb (fun j => has s (cell m i j)) (classes m)) (classes m).
Fixpoint same (s t : list bool) : bool :=
  match s, t with [], [] => true | x :: s', y :: t' => eqb x y <&> same s' t' | _, _ => false end.
Definition predictions m (D : domain) (r : list bool) : list (list bool) :=
  filter (fun s => D m s <&> same (rows m s) r) (supports (m * m)).
Lemma same_refl : forall s, same s s = true.
Proof. induction s as [|[] s]; simpl; auto. Qed.
Lemma rows_pattern : forall m z, matrix (m * m) z -> rows m (pattern (m * m) z) = pattern m (row m z).
Proof.
  intros m z Z. unfold rows, pattern at 2, classes. apply map_ext. intros i. unfold row, classes.
  induction (seq 0 m) as [|j l IH]; auto. cbn [existsb map list_sum fold_right]. unfold list_sum in *. rewrite IH, has_pattern by auto.
  destruct (Nat.ltb_spec 0 (z (cell m i j))), (Nat.ltb_spec 0 (fold_right Init.Nat.add 0 (map (fun j => z (cell m i j)) l))%nat),
    (Nat.ltb_spec 0 (z (cell m i j) + fold_right Init.Nat.add 0 (map (fun j => z (cell m i j)) l))%nat); auto; lia.
Qed.
Lemma in_predictions : forall m D z, matrix (m * m) z -> D m (pattern (m * m) z) = true ->
  In (pattern (m * m) z) (predictions m D (pattern m (row m z))).
Proof.
  intros m D z Z HD. apply filter_In. split; [apply in_pattern|]. rewrite HD, rows_pattern by auto. apply same_refl.
Qed.
Lemma same_rows : forall m z y, same_true_sizes m z y -> pattern m (row m z) = pattern m (row m y).
Proof. intros m z y H. unfold pattern. apply map_ext_in. intros i I. apply in_seq in I. rewrite H by lia. auto. Qed.

(* Sebastiani, Axiom 4 *)
Definition check_wde e m (D : domain) f : bool :=
  every (fun r => let l := predictions m D r in every (check_state e m true f) l <|> every (check_state e m false f) l) (supports m).
Theorem wde_proved : forall e m D f, check_wde e m D f = true -> sebastiani_wde m D f.
Proof.
  intros e m D f H z y Z Y DZ DY S N. unfold check_wde in H. rewrite every_forall in H.
  specialize (H _ (in_pattern m (row m z))). cbv zeta in H. pose proof (in_predictions m D z Z DZ) as IZ.
  pose proof (in_predictions m D y Y DY) as IY. rewrite <- (same_rows m z y S) in IY.
  apply one_true in H as [H|H]; rewrite every_forall in H.
  - pose proof (check_state_ok e m true f z Z (H _ IZ)). simpl in *. congruence.
  - exact (check_state_ok e m false f y Y (H _ IY)).
Qed.

(* Sebastiani, Axiom 5. A bound is reached on every test set if it is the value wherever, on a test set with these true
   classes, all items of each class are given one label: there is exactly one such matrix for given class sizes. *)
Definition equal_values : decision := fun c rs =>
  match rs with
  | [Known x; Known y] => let s := compared fuel c x y in
      match s with [Eq] => Yes | _ => if some (holds Equal) s then Ask (unknown_comparison fuel c x y) else No end
  | [Unknown a; Unknown b] => Ask (a ++ b)
  | [Unknown a; _] | [_; Unknown a] => Ask a
  | _ => No
  end.
Definition are_equal (xs : list (option R)) : Prop := exists x, xs = [Some x; Some x].
Lemma equal_values_ok : decides equal_values are_equal.
Proof.
  intros w v rs xs G H D. destruct H as [|a x rs xs A H]; [discriminate|]. destruct H as [|b y rs xs B H]; [destruct a; discriminate|].
  destruct H; [|destruct a, b; discriminate]. destruct a as [p| |]; destruct b as [q| |]; try discriminate D.
  destruct A as [-> P], B as [-> Q]. cbn [equal_values] in D. cbv zeta in D. pose proof (compared_ok w v G fuel p q P Q) as (c & I & S).
  assert (E : compared fuel w p q = [Eq]).
  { destruct (compared fuel w p q) as [|[| |] [|]]; auto; destruct (some _ _); discriminate. }
  rewrite E in I. destruct I as [<-|[]]. unfold sign_is in S. exists (fraction_value v q).
  replace (fraction_value v p) with (fraction_value v q) by lra. auto.
Qed.
Theorem value_decided : forall e c n f a b v d, good c v -> is_constant b = true -> describes v n d f ->
  decided e c n (with_constant f a b) equal_values = true -> value d a = Some (constant b).
Proof.
  intros e c n f a b v d G I F H.
  apply (settled_ok (with_constant f a b) equal_values (breadth e) are_equal equal_values_ok v [d; fun _ => 0] n) with (u := v) in H;
    auto using variables_length.
  - destruct H as (x & E). injection E as E1 E2. rewrite is_constant_ok in E2 by auto. congruence.
  - constructor; [exact F | constructor; [apply nowhere_ok | constructor]].
  - apply variables_fit. apply G.
Qed.

Fixpoint choices (n m : nat) : list (list nat) :=
  match n with O => [[]] | S n' => flat_map (fun g => map (fun j => j :: g) (classes m)) (choices n' m) end.
Definition pure (m : nat) (r : list bool) (g : list nat) : list bool :=
  map (fun k => has r (k / m) && (k mod m =? nth (k / m) g 0)%nat) (seq 0 (m * m)).
Definition is_choice (m : nat) (g : list nat) : bool := every (fun i => (nth i g 0 <? m)%nat) (classes m).
Definition check_reached e m (D : domain) (c : expr) f (r : list bool) : bool :=
  some (fun g => is_choice m g <&> D m (pure m r g) <&>
    decided e counts_are_whole (m * m) (with_constant (on_support (pure m r g)) f c) equal_values) (choices m m).
Definition between (e : effort) m (low high : expr) f s : bool :=
  decided e counts_are_whole (m * m) (with_constant (on_support s) f low) (compare_two (fun c => match c with Lt => false | _ => true end)) <&>
  decided e counts_are_whole (m * m) (with_constant (on_support s) f high) (compare_two (fun c => match c with Gt => false | _ => true end)).
Definition check_fix e m (D : domain) (low high : expr) f : bool :=
  is_constant low <&> is_constant high <&> every (fun r =>
    let l := predictions m D r in
    every (check_state e m false f) l <|>
    (every (between e m low high f) l <&> check_reached e m D low f r <&> check_reached e m D high f r)) (supports m).
Lemma list_sum_one : forall (x : nat) g m, (g < m)%nat -> list_sum (map (fun j => if (j =? g)%nat then x else 0%nat) (classes m)) = x.
Proof.
  intros x g m G. unfold classes. assert (A : forall a n, (a <= g < a + n)%nat -> list_sum (map (fun j => if (j =? g)%nat then x else 0%nat) (seq a n)) = x).
  { intros a n. revert a. assert (Z : forall n a, (g < a)%nat -> list_sum (map (fun j => if (j =? g)%nat then x else 0%nat) (seq a n)) = 0%nat).
    { clear. induction n; intros a A; auto. cbn [seq map list_sum fold_right]. change (fold_right _ _ _) with (list_sum (map (fun j => if (j =? g)%nat then x else 0%nat) (seq (S a) n))).
      rewrite IHn by lia. destruct (Nat.eqb_spec a g); lia. }
    induction n; intros a [A B]; [lia|]. cbn [seq map list_sum fold_right].
    change (fold_right _ _ _) with (list_sum (map (fun j => if (j =? g)%nat then x else 0%nat) (seq (S a) n))).
    destruct (Nat.eqb_spec a g). { subst. rewrite Z by lia. lia. } rewrite IHn by lia. lia. }
  apply A. lia.
Qed.
Lemma div_cell : forall m i j, (j < m)%nat -> (cell m i j / m)%nat = i /\ (cell m i j mod m)%nat = j.
Proof.
  intros m i j J. unfold cell. assert (m <> 0%nat) by lia. split.
  - rewrite Nat.div_add_l, Nat.div_small by auto. lia.
  - rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small by auto. auto.
Qed.
Lemma cell_small : forall m i j, (i < m)%nat -> (j < m)%nat -> (cell m i j < m * m)%nat.
Proof. intros. unfold cell. nia. Qed.
Lemma reached_ok : forall e m D c f z, is_constant c = true -> check_reached e m D c f (pattern m (row m z)) = true ->
  reached m D f z (constant c).
Proof.
  intros e m D c f z I H. unfold check_reached in H. apply some_exists in H as (g & _ & H).
  apply both_true in H as [H V]. apply both_true in H as [G DP]. unfold is_choice in G. rewrite every_forall in G.
  assert (G' : forall i, (i < m)%nat -> (nth i g 0 < m)%nat). { intros i K. apply Nat.ltb_lt, G, in_seq. lia. }
  set (y := fun k => if (k <? m * m)%nat then if (k mod m =? nth (k / m) g 0)%nat then row m z (k / m) else 0%nat else 0%nat).
  assert (Y : matrix (m * m) y). { intros k K. unfold y. destruct (Nat.ltb_spec k (m * m)); auto; lia. }
  assert (P : pattern (m * m) y = pure m (pattern m (row m z)) g).
  { unfold pattern at 1, pure. apply map_ext_in. intros k K. apply in_seq in K. unfold y.
    destruct (Nat.ltb_spec k (m * m)); [|lia]. assert (m <> 0%nat) by (intro; subst; simpl in *; lia).
    rewrite pattern_short by (apply Nat.div_lt_upper_bound; auto; lia).
    destruct (k mod m =? nth (k / m) g 0)%nat; [rewrite andb_true_r; auto | rewrite andb_false_r; auto]. }
  exists y. rewrite P. split; auto. split; auto. split.
  - intros i K. unfold row at 2. transitivity (list_sum (map (fun j => if (j =? nth i g 0)%nat then row m z i else 0%nat) (classes m))).
    { rewrite list_sum_one; auto. }
    f_equal. apply map_ext_in. intros j J. apply in_seq in J. unfold y. destruct (div_cell m i j ltac:(lia)) as [E1 E2].
    rewrite E1, E2. destruct (Nat.ltb_spec (cell m i j) (m * m)) as [|N]; [auto|]. pose proof (cell_small m i j K ltac:(lia)). lia.
  - rewrite <- P in V.
    exact (value_decided _ _ _ _ _ _ _ _ (numbers_good y) I (on_support_ok _ _ y (numbers_of y) Y (le_n _) (fun _ _ => eq_refl)) V).
Qed.
Theorem fix_proved : forall e low high m D f, check_fix e m D low high f = true -> sebastiani_fix m D f.
Proof.
  intros e low high m D f H. unfold check_fix in H. apply both_true in H as [H C]. apply both_true in H as [L Hi].
  exists (constant low), (constant high). intros z x Z HD X. rewrite every_forall in C.
  specialize (C _ (in_pattern m (row m z))). cbv zeta in C. pose proof (in_predictions m D z Z HD) as I.
  apply one_true in C as [C|C].
  - rewrite every_forall in C. pose proof (check_state_ok e m false f z Z (C _ I)). simpl in *. congruence.
  - apply both_true in C as [C R2]. apply both_true in C as [B R1]. rewrite every_forall in B. specialize (B _ I).
    apply both_true in B as [B1 B2].
    pose proof (on_support_ok (m * m) (m * m) z (numbers_of z) Z (le_n _) (fun _ _ => eq_refl)) as O.
    destruct (constant_compared _ _ _ _ _ _ _ _ _ x (numbers_good z) L O B1 X) as (s & S1 & S2).
    destruct (constant_compared _ _ _ _ _ _ _ _ _ x (numbers_good z) Hi O B2 X) as (t & T1 & T2).
    split; [|split; eapply reached_ok; eauto].
    destruct s, t; try discriminate; unfold sign_is in *; lra.
Qed.
