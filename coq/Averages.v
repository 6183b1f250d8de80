(* Averages over random predictions, and chance correction. *)
From Coq Require Import Reals ZArith QArith Qreals List Bool Lra Lia PeanoNat.
From Goodmeasure Require Import Tree Polynomials Signs Fractions Reading Cases Statements Supports Comparing Definedness.
Import ListNotations.
Local Open Scope R_scope.

(* An equation between values: a formula that refers to what was read is 0, or has no value. *)
Definition equation (e : expr) : decision := fun c rs =>
  match read c (nowhere []) rs e with
  | Known x => match sign fuel c (above x) with
               | [Eq] => Yes
               | s => if some (holds Equal) s then Ask (unknown fuel c (above x)) else No
               end
  | Nothing => Yes
  | Unknown about => Ask about
  end.
Definition solved (e : expr) (xs : list (option R)) : Prop := forall x, eval (fun _ => 0) xs e = Some x -> x = 0.
Lemma equation_ok : forall e, decides (equation e) (solved e).
Proof.
  intros e w v rs xs G H D x X. unfold equation in D.
  pose proof (read_ok w (nowhere []) v (fun _ => 0) G) as R_. specialize (R_ ltac:(intros k; exact (nowhere_ok v 0 [] v w eq_refl G ltac:(intros i I; inversion I) k)) rs xs H e).
  destruct (read w (nowhere []) rs e) as [p| |]; try discriminate; simpl in R_; [|congruence].
  destruct R_ as [E P]. pose proof (fraction_sign w v G fuel p) as (s & I & S).
  assert (Q : sign fuel w (above p) = [Eq]). { destruct (sign fuel w (above p)) as [|[| |] [|]]; auto; destruct (some _ _); discriminate. }
  rewrite Q in I. destruct I as [<-|[]]. unfold sign_is in S. congruence.
Qed.

Lemma value_ext : forall c d f, (forall k, c k = d k) -> value c f = value d f.
Proof.
  intros c d f H. assert (E : forall e known, eval c known e = eval d known e).
  { induction e; intros known; simpl; rewrite ?H, ?IHe, ?IHe1, ?IHe2, ?IHe3, ?IHe4; auto. }
  unfold value, values. f_equal. assert (A : forall l, fold_left (fun known e => known ++ [eval c known e]) f l = fold_left (fun known e => known ++ [eval d known e]) f l).
  { induction f as [|e f IH]; intros l; simpl; auto. rewrite E. apply IH. }
  apply A.
Qed.

(* Sums over classes *)

Lemma sum_ext : forall (f g : nat -> R) l, (forall i, In i l -> f i = g i) -> sum (map f l) = sum (map g l).
Proof. induction l as [|i l IH]; intros H; auto. cbn [map sum fold_right]. fold (sum (map f l)) (sum (map g l)). rewrite H, IH; simpl; auto. intros. apply H. right; auto. Qed.
Lemma sum_plus : forall (f g : nat -> R) l, sum (map (fun i => f i + g i) l) = sum (map f l) + sum (map g l).
Proof. unfold sum. induction l as [|i l IH]; simpl; [ring | rewrite IH; ring]. Qed.
Lemma sum_times : forall k (f : nat -> R) l, sum (map (fun i => k * f i) l) = k * sum (map f l).
Proof. unfold sum. induction l as [|i l IH]; simpl; [ring | rewrite IH; ring]. Qed.
Lemma sum_INR : forall (f : nat -> nat) l, sum (map (fun i => INR (f i)) l) = INR (list_sum (map f l)).
Proof. unfold sum. induction l as [|i l IH]; auto. cbn [map fold_right list_sum]. rewrite IH. rewrite plus_INR. auto. Qed.
Lemma sum_single : forall (f : nat -> R) l j, In j l -> NoDup l -> sum (map (fun i => if (i =? j)%nat then f i else 0) l) = f j.
Proof.
  unfold sum. induction l as [|i l IH]; intros j I N; [destruct I|]. inversion N; subst. cbn [map fold_right].
  assert (Z : ~ In j l -> fold_right Rplus 0 (map (fun i => if (i =? j)%nat then f i else 0) l) = 0).
  { clear. induction l as [|i l IH]; intros H; auto. cbn [map fold_right]. rewrite IH by (intro; apply H; right; auto).
    destruct (Nat.eqb_spec i j); [exfalso; apply H; left; auto | ring]. }
  destruct (Nat.eqb_spec i j) as [->|K].
  - rewrite Z by auto. ring.
  - destruct I as [|I]; [congruence|]. rewrite IH; auto. ring.
Qed.

(* Drawing labels without putting them back *)

Definition sizes_agree (m : nat) (labels : list nat) (b : counts) : Prop := total m b = length labels.
Lemma total_decreased : forall m b j, (j < m)%nat -> (0 < b j)%nat -> total m (decreased b j) = pred (total m b).
Proof.
  intros m b j J B. unfold total, classes, decreased.
  assert (A : forall l, In j l -> NoDup l -> list_sum (map (fun i => (b i - if (i =? j)%nat then 1 else 0)%nat) l) = pred (list_sum (map b l))).
  { induction l as [|i l IH]; intros I N; [destruct I|]. inversion N; subst. cbn [map list_sum fold_right].
    fold (list_sum (map b l)). fold (list_sum (map (fun i => (b i - if (i =? j)%nat then 1 else 0)%nat) l)).
    destruct (Nat.eqb_spec i j) as [->|K].
    - replace (list_sum (map (fun i => (b i - if (i =? j)%nat then 1 else 0)%nat) l)) with (list_sum (map b l)); [lia|].
      f_equal. apply map_ext_in. intros x X. destruct (Nat.eqb_spec x j); [congruence | lia].
    - destruct I as [|I]; [congruence|]. rewrite IH by auto. pose proof (list_sum_le b l j I). lia. }
  apply A; [apply in_seq; lia | apply seq_NoDup].
Qed.
Lemma shares_add_up : forall m b, (0 < total m b)%nat -> sum (map (fun j => INR (b j) / INR (total m b)) (classes m)) = 1.
Proof.
  intros m b T. transitivity (/ INR (total m b) * sum (map (fun j => INR (b j)) (classes m))).
  - rewrite <- sum_times. apply sum_ext. intros. unfold Rdiv. ring.
  - rewrite sum_INR. unfold total. apply Rinv_l. apply (lt_INR 0) in T. unfold total in T. simpl in T. lra.
Qed.
(* What the finished matrix looks like *)
Definition finished (m : nat) (labels : list nat) (b z y : counts) : Prop :=
  (matrix (m * m) z -> matrix (m * m) y) /\
  forall i, (i < m)%nat -> row m y i = (row m z i + count i labels)%nat /\ column m y i = (column m z i + b i)%nat.
Lemma row_increased : forall m z i j k, (i < m)%nat -> (j < m)%nat -> (k < m)%nat ->
  row m (increased z (cell m i j)) k = (row m z k + if (k =? i)%nat then 1 else 0)%nat.
Proof.
  intros m z i j k I J K. unfold row, increased.
  transitivity (list_sum (map (fun l => z (cell m k l) + (if (l =? j)%nat then if (k =? i)%nat then 1 else 0 else 0))%nat (classes m))).
  - f_equal. apply map_ext_in. intros l L. apply in_seq in L. f_equal. destruct (div_cell m k l ltac:(lia)) as [A B].
    destruct (div_cell m i j J) as [A' B']. destruct (Nat.eqb_spec (cell m k l) (cell m i j)) as [E|E].
    + rewrite E in A, B. rewrite A' in A. rewrite B' in B. subst. rewrite !Nat.eqb_refl. auto.
    + destruct (Nat.eqb_spec l j), (Nat.eqb_spec k i); subst; auto. congruence.
  - assert (P : forall (f g : nat -> nat) l, list_sum (map (fun x => (f x + g x)%nat) l) = (list_sum (map f l) + list_sum (map g l))%nat).
    { intros f g. induction l; auto. cbn [map list_sum fold_right]. unfold list_sum in *. rewrite IHl. lia. }
    rewrite P, list_sum_one; auto.
Qed.
Lemma column_increased : forall m z i j k, (i < m)%nat -> (j < m)%nat -> (k < m)%nat ->
  column m (increased z (cell m i j)) k = (column m z k + if (k =? j)%nat then 1 else 0)%nat.
Proof.
  intros m z i j k I J K. unfold column, increased.
  transitivity (list_sum (map (fun l => z (cell m l k) + (if (l =? i)%nat then if (k =? j)%nat then 1 else 0 else 0))%nat (classes m))).
  - f_equal. apply map_ext_in. intros l L. apply in_seq in L. f_equal. destruct (div_cell m l k K) as [A B].
    destruct (div_cell m i j J) as [A' B']. destruct (Nat.eqb_spec (cell m l k) (cell m i j)) as [E|E].
    + rewrite E in A, B. rewrite A' in A. rewrite B' in B. subst. rewrite !Nat.eqb_refl. auto.
    + destruct (Nat.eqb_spec l i), (Nat.eqb_spec k j); subst; auto. congruence.
  - assert (P : forall (f g : nat -> nat) l, list_sum (map (fun x => (f x + g x)%nat) l) = (list_sum (map f l) + list_sum (map g l))%nat).
    { intros f g. induction l; auto. cbn [map list_sum fold_right]. unfold list_sum in *. rewrite IHl. lia. }
    rewrite P, list_sum_one; auto.
Qed.
Lemma matrix_increased : forall m z i j, (i < m)%nat -> (j < m)%nat -> matrix (m * m) z -> matrix (m * m) (increased z (cell m i j)).
Proof.
  intros m z i j I J Z k K. unfold increased. rewrite Z by auto. pose proof (cell_small m i j I J).
  destruct (Nat.eqb_spec k (cell m i j)); lia.
Qed.
Lemma finished_step : forall m i others b z j y, (i < m)%nat -> (j < m)%nat -> (0 < b j)%nat ->
  finished m others (decreased b j) (increased z (cell m i j)) y -> finished m (i :: others) b z y.
Proof.
  intros m i others b z j y I J B [F1 F2]. split. { intros Z. apply F1, matrix_increased; auto. }
  intros k K. destruct (F2 k K) as [R_ C]. rewrite R_, C, row_increased, column_increased by auto. unfold decreased, count. cbn [count_occ].
  split.
  - destruct (Nat.eq_dec i k), (Nat.eqb_spec k i); try congruence; lia.
  - destruct (Nat.eqb_spec k j); [subst; lia | lia].
Qed.
Lemma average_ext : forall m labels b z g h, (forall i, In i labels -> (i < m)%nat) -> sizes_agree m labels b ->
  (forall y, finished m labels b z y -> g y = h y) -> average m g labels b z = average m h labels b z.
Proof.
  intros m labels. induction labels as [|i others IH]; intros b z g h L S H; cbn [average].
  - apply H. split; auto. intros k K. split; [simpl; lia|]. unfold sizes_agree, total in S. simpl in S.
    pose proof (list_sum_le b (classes m) k ltac:(apply in_seq; lia)). lia.
  - apply sum_ext. intros j J. apply in_seq in J. destruct (Nat.eq_dec (b j) 0) as [E|E].
    { rewrite E. simpl. unfold Rdiv. rewrite !Rmult_0_l. auto. }
    f_equal. apply IH.
    + intros. apply L. right; auto.
    + unfold sizes_agree in *. rewrite total_decreased by lia. simpl in S. lia.
    + intros y F. apply H. eapply finished_step; eauto; try lia. apply L. left; auto.
Qed.
Lemma average_plus : forall m labels b z g h,
  average m (fun y => g y + h y) labels b z = average m g labels b z + average m h labels b z.
Proof.
  intros m. induction labels as [|i others IH]; intros b z g h; cbn [average]; auto.
  rewrite <- sum_plus. apply sum_ext. intros. rewrite IH. ring.
Qed.
Lemma average_times : forall m k labels b z g, average m (fun y => k * g y) labels b z = k * average m g labels b z.
Proof.
  intros m k. induction labels as [|i others IH]; intros b z g; cbn [average]; auto.
  rewrite <- sum_times. apply sum_ext. intros. rewrite IH. ring.
Qed.
Lemma average_cell : forall m labels i j b z, (forall l, In l labels -> (l < m)%nat) -> sizes_agree m labels b -> (i < m)%nat -> (j < m)%nat ->
  average m (fun y => INR (y (cell m i j))) labels b z =
  INR (z (cell m i j)) + INR (count i labels) * INR (b j) / INR (length labels).
Proof.
  intros m. induction labels as [|l others IH]; intros i j b z L S I J; cbn [average]. { simpl. unfold Rdiv. ring. }
  assert (LM : (l < m)%nat) by (apply L; left; auto). unfold sizes_agree in S. set (n := total m b) in *.
  assert (N : (0 < n)%nat) by (rewrite S; simpl; lia). assert (NR : 0 < INR n) by (apply (lt_INR 0); auto).
  set (r := INR (count i others) / INR (length others)).
  transitivity (sum (map (fun k => INR (b k) / INR n * (INR (z (cell m i j)) + r * INR (b j)) +
    (if (k =? j)%nat then INR (b k) / INR n * ((if (l =? i)%nat then 1 else 0) - r) else 0)) (classes m))).
  - apply sum_ext. intros k K. apply in_seq in K. destruct (Nat.eq_dec (b k) 0) as [E|E].
    { rewrite E. simpl. unfold Rdiv. rewrite !Rmult_0_l. destruct (k =? j)%nat; ring. }
    rewrite IH; auto; [| intros; apply L; right; auto | unfold sizes_agree; rewrite total_decreased by lia; unfold n in S; rewrite S; reflexivity].
    assert (INR (increased z (cell m l k) (cell m i j)) = INR (z (cell m i j)) + (if (k =? j)%nat then if (l =? i)%nat then 1 else 0 else 0)).
    { unfold increased. rewrite plus_INR. f_equal. destruct (div_cell m l k ltac:(lia)) as [A B]. destruct (div_cell m i j J) as [A' B'].
      destruct (Nat.eqb_spec (cell m i j) (cell m l k)) as [Q|Q].
      - rewrite <- Q in A, B. rewrite A' in A. rewrite B' in B. subst. rewrite !Nat.eqb_refl. auto.
      - destruct (Nat.eqb_spec k j), (Nat.eqb_spec l i); subst; auto. congruence. }
    rewrite H. unfold decreased. destruct (Nat.eqb_spec k j) as [->|NE].
    + rewrite Nat.eqb_refl, minus_INR by lia. fold n. unfold r. simpl (INR 1). unfold Rdiv. ring.
    + destruct (Nat.eqb_spec j k); [congruence|]. rewrite Nat.sub_0_r. fold n. unfold r, Rdiv. ring.
  - rewrite sum_plus, (sum_single (fun k => INR (b k) / INR n * ((if (l =? i)%nat then 1 else 0) - r))) by (try (apply in_seq; lia); apply seq_NoDup).
    replace (sum (map (fun k => INR (b k) / INR n * (INR (z (cell m i j)) + r * INR (b j))) (classes m)))
      with (INR (z (cell m i j)) + r * INR (b j)).
    2: { transitivity ((INR (z (cell m i j)) + r * INR (b j)) * sum (map (fun k => INR (b k) / INR n) (classes m))).
         - unfold n. rewrite shares_add_up by auto. ring.
         - rewrite <- sum_times. apply sum_ext. intros. ring. }
    assert (C : INR (count i (l :: others)) = INR (count i others) + (if (l =? i)%nat then 1 else 0)).
    { unfold count. cbn [count_occ]. destruct (Nat.eq_dec l i), (Nat.eqb_spec l i); try congruence; [rewrite S_INR; auto | ring]. }
    rewrite C. replace (INR (length (l :: others))) with (INR n) by (rewrite S; auto). unfold r.
    destruct others as [|o others]; [simpl; unfold Rdiv; ring|].
    assert (INR n = INR (length (o :: others)) + 1). { rewrite S. cbn [length]. rewrite !S_INR. ring. }
    assert (0 < INR (length (o :: others))) by (apply (lt_INR 0); simpl; lia). rewrite H. field. lra.
Qed.

(* Goesgens et al., Definition 8, for two classes: for given class sizes the measure is c plus a multiple of the
   determinant, whose average is 0. *)

Definition determinant : formulas := [Sub (Mul (Cell 0) (Cell 3)) (Mul (Cell 1) (Cell 2))].
Definition det (z : counts) : R := INR (z 0%nat) * INR (z 3%nat) - INR (z 1%nat) * INR (z 2%nat).
Definition more_in (l : list nat) (s : list bool) (t : list fraction) (k : nat) : outcome :=
  if some (Nat.eqb k) l then known (add (supported s t k) (nth 4 t zero)) else Known (supported s t k).
Definition added_to (l : list nat) (k : nat) (z : counts) : counts := fun i => (z i + if some (Nat.eqb i) l then k else 0)%nat.
Definition pattern_with (l : list nat) (s : list bool) : list bool := map (fun k => has s k <|> some (Nat.eqb k) l) (seq 0 4).
Definition margins_with (side : list bool -> list bool -> bool) (l : list nat) (s : list bool) : bool :=
  side (map (fun i => existsb (fun j => has (pattern_with l s) (cell 2 i j)) (classes 2)) (classes 2))
       (map (fun j => existsb (fun i => has (pattern_with l s) (cell 2 i j)) (classes 2)) (classes 2)).
Definition proportional : expr := Sub (Mul (Sub (Ref 0) (Ref 4)) (Ref 3)) (Mul (Sub (Ref 1) (Ref 4)) (Ref 2)).
Definition five_readings (f : formulas) (c : expr) (s : list bool) : list reading :=
  [Reading (more_in [0; 3]%nat s) f; Reading (more_in [1; 2]%nat s) f; Reading (more_in [0; 3]%nat s) determinant;
   Reading (more_in [1; 2]%nat s) determinant; Reading nowhere [c]].
Definition check_affine e (side : list bool -> list bool -> bool) (c : expr) f : bool :=
  is_constant c <&> every (fun s => negb (margins_with side [0; 3]%nat s) <|>
    settled (five_readings f c s) (equation proportional) (breadth e) (depth e) counts_are_whole (variables 5)) (supports 4).

Lemma more_in_ok : forall z k l, matrix 4 z -> (0 < k)%nat ->
  describes (fun i => if (i =? 4)%nat then INR k else numbers_of z i) 5 (fun i => INR (added_to l k z i)) (more_in l (pattern 4 z)).
Proof.
  intros z k l Z K t v' w T G F i. set (u := fun i => if (i =? 4)%nat then INR k else numbers_of z i) in *.
  assert (U : forall j, (j < 4)%nat -> u j = numbers_of z j) by (intros j J; unfold u; destruct (Nat.eqb_spec j 4); [lia | auto]).
  destruct (supported_ok 4 z u t v' Z ltac:(lia) U F i) as [A B].
  unfold more_in, added_to. rewrite plus_INR, A. destruct (some (Nat.eqb i) l).
  - apply known_ok. intros y Y. destruct (F 4%nat ltac:(lia)) as [C D]. unfold u in C. rewrite Nat.eqb_refl in C. destruct (add_ok w v' G _ _ y B D Y) as [E E']. rewrite E, C. auto.
  - simpl. split; auto. f_equal. ring.
Qed.
Lemma determinant_value : forall z, value (fun i => INR (z i)) determinant = Some (det z).
Proof. reflexivity. Qed.
Lemma affine_ok : forall e side c f z k x y, check_affine e side c f = true -> matrix 4 z -> (0 < k)%nat ->
  side (pattern 2 (row 2 (added_to [0; 3]%nat k z))) (pattern 2 (column 2 (added_to [0; 3]%nat k z))) = true ->
  M f (added_to [0; 3]%nat k z) = Some x -> M f (added_to [1; 2]%nat k z) = Some y ->
  (x - constant c) * det (added_to [1; 2]%nat k z) = (y - constant c) * det (added_to [0; 3]%nat k z).
Proof.
  intros e side c f z k x y H Z K S X Y. unfold check_affine in H. apply both_true in H as [I H]. rewrite every_forall in H.
  specialize (H _ (in_pattern 4 z)). cbv beta in H.
  assert (P : margins_with side [0; 3]%nat (pattern 4 z) = true).
  { rewrite <- S. unfold margins_with. f_equal.
    - unfold pattern at 2, row, classes. cbn [seq map list_sum fold_right existsb]. unfold pattern_with, added_to, cell.
      cbn [seq map has nth some Nat.eqb Nat.mul Nat.add]. rewrite !has_pattern by auto. unfold orb.
      repeat match goal with |- context [Nat.ltb 0 ?a] => destruct (Nat.ltb_spec 0 a) end; auto; lia.
    - unfold pattern at 2, column, classes. cbn [seq map list_sum fold_right existsb]. unfold pattern_with, added_to, cell.
      cbn [seq map has nth some Nat.eqb Nat.mul Nat.add]. rewrite !has_pattern by auto. unfold orb.
      repeat match goal with |- context [Nat.ltb 0 ?a] => destruct (Nat.ltb_spec 0 a) end; auto; lia. }
  rewrite P in H. cbn [negb] in H.
  set (v := fun i => if (i =? 4)%nat then INR k else numbers_of z i).
  assert (G : good counts_are_whole v).
  { destruct (numbers_good z) as (N1 & N2 & _). repeat split; try (intros; contradiction); intros i; unfold v.
    - destruct (i =? 4)%nat; auto. apply (lt_INR 0); auto.
    - intros W. destruct (i =? 4)%nat; [|auto]. exists (pred k). f_equal. lia. }
  apply (settled_ok (five_readings f c (pattern 4 z)) (equation proportional) (breadth e) (solved proportional) (equation_ok proportional) v
    [fun i => INR (added_to [0; 3]%nat k z i); fun i => INR (added_to [1; 2]%nat k z i); fun i => INR (added_to [0; 3]%nat k z i);
     fun i => INR (added_to [1; 2]%nat k z i); fun _ => 0] 5) with (u := v) in H; auto using variables_length.
  - unfold solved in H. cbn [five_readings map combine formula fst snd] in H. unfold M in X, Y. rewrite X, Y, !determinant_value, is_constant_ok in H by auto.
    specialize (H _ eq_refl). lra.
  - unfold five_readings. do 4 (apply Forall2_cons; [cbn [cells_from]; apply more_in_ok; auto|]).
    apply Forall2_cons; [apply nowhere_ok | apply Forall2_nil].
  - apply variables_fit. apply G.
Qed.
Lemma same_margins_2 : forall y z : counts, matrix 4 y -> matrix 4 z -> (forall i, (i < 2)%nat -> row 2 y i = row 2 z i /\ column 2 y i = column 2 z i) ->
  (y 0 + y 1 = z 0 + z 1 /\ y 2 + y 3 = z 2 + z 3 /\ y 0 + y 2 = z 0 + z 2 /\ y 1 + y 3 = z 1 + z 3)%nat.
Proof.
  intros y z Y Z H. destruct (H 0%nat ltac:(lia)) as [A B]. destruct (H 1%nat ltac:(lia)) as [C D].
  unfold row, column, classes, cell in *. cbn [seq map list_sum fold_right Nat.mul Nat.add] in *. lia.
Qed.
Lemma M_ext : forall f y z, (forall k, y k = z k) -> M f y = M f z.
Proof. intros f y z H. apply value_ext. intros k. rewrite H. auto. Qed.
Lemma pattern_ext : forall n y z, (forall k, y k = z k) -> pattern n y = pattern n z.
Proof. intros n y z H. unfold pattern. apply map_ext. intros. rewrite H. auto. Qed.
Lemma margins_ext : forall m y z, (forall k, y k = z k) ->
  (forall i, row m y i = row m z i) /\ (forall i, column m y i = column m z i).
Proof. intros m y z H. split; intros i; unfold row, column; f_equal; apply map_ext; auto. Qed.
Lemma proportional_ok : forall e side c f y z x w, check_affine e side c f = true -> matrix 4 y -> matrix 4 z ->
  (forall i, (i < 2)%nat -> row 2 y i = row 2 z i /\ column 2 y i = column 2 z i) -> side (pattern 2 (row 2 y)) (pattern 2 (column 2 y)) = true ->
  M f y = Some x -> M f z = Some w -> (x - constant c) * det z = (w - constant c) * det y.
Proof.
  assert (A : forall e side c f (y z : counts) x w, check_affine e side c f = true -> matrix 4 y -> matrix 4 z ->
    (forall i, (i < 2)%nat -> row 2 y i = row 2 z i /\ column 2 y i = column 2 z i) -> side (pattern 2 (row 2 y)) (pattern 2 (column 2 y)) = true ->
    (z 0 < y 0)%nat -> M f y = Some x -> M f z = Some w -> (x - constant c) * det z = (w - constant c) * det y).
  { intros e side c f y z x w H Y Z E S L X W. destruct (same_margins_2 y z Y Z E) as (E1 & E2 & E3 & E4).
    set (k := (y 0 - z 0)%nat). set (p := fun i => match i with 0 => z 0 | 1 => y 1 | 2 => y 2 | 3 => z 3 | _ => 0 end%nat).
    assert (P : matrix 4 p). { intros [|[|[|[|i]]]] I; auto; lia. }
    assert (PY : forall i, added_to [0; 3]%nat k p i = y i).
    { intros [|[|[|[|i]]]]; unfold added_to, p, k; cbn [some Nat.eqb]; try lia. rewrite Y by lia. lia. }
    assert (PZ : forall i, added_to [1; 2]%nat k p i = z i).
    { intros [|[|[|[|i]]]]; unfold added_to, p, k; cbn [some Nat.eqb]; try lia. rewrite Z by lia. lia. }
    rewrite <- (M_ext f _ _ PY) in X. rewrite <- (M_ext f _ _ PZ) in W.
    assert (DY : det (added_to [0; 3]%nat k p) = det y) by (unfold det; rewrite !PY; auto).
    assert (DZ : det (added_to [1; 2]%nat k p) = det z) by (unfold det; rewrite !PZ; auto).
    rewrite <- DY, <- DZ. eapply affine_ok; eauto; [unfold k; lia|].
    destruct (margins_ext 2 _ _ PY) as [R_ C]. rewrite <- S. unfold pattern. f_equal; apply map_ext; intros i; rewrite ?R_, ?C; auto. }
  intros e side c f y z x w H Y Z E S X W. destruct (lt_eq_lt_dec (z 0%nat) (y 0%nat)) as [[L|L]|L].
  - eapply A; eauto.
  - destruct (same_margins_2 y z Y Z E) as (E1 & E2 & E3 & E4).
    assert (K : forall k, y k = z k). { intros [|[|[|[|k]]]]; try lia. rewrite Y, Z by lia. auto. }
    rewrite (M_ext f y z K) in X. assert (x = w) by congruence. subst. f_equal. unfold det. rewrite !K. auto.
  - symmetry. eapply A; eauto.
    + intros i I. destruct (E i I). auto.
    + rewrite <- S. unfold pattern. f_equal; apply map_ext_in; intros i I; apply in_seq in I; destruct (E i ltac:(lia)) as [R_ C]; rewrite ?R_, ?C; auto.
Qed.
Definition baseline_side m (D : domain) (a b : list bool) : bool := several b <&> D m (crossed m a b).
Definition check_baseline e (D : domain) (c : expr) f : bool :=
  check_independent e 2 D several c f <&> check_affine e (baseline_side 2 D) c f.
Theorem baseline_proved : forall e c D f, check_baseline e D c f = true -> constant_baseline 2 D f.
Proof.
  intros e c D f H. unfold check_baseline in H. apply both_true in H as [I H]. exists (constant c).
  intros labels b L T SV W. destruct T as (T & N & HD). set (g := fun z => or_zero (M f z) - constant c).
  assert (LEN : sizes_agree 2 labels b).
  { unfold sizes_agree. rewrite <- T. unfold total, sizes, classes. cbn [seq map list_sum fold_right].
    clear - L. induction labels as [|i labels IH]; auto. assert (IL : (i < 2)%nat) by (apply L; left; auto).
    specialize (IH ltac:(intros; apply L; right; auto)). unfold count in *. cbn [count_occ length].
    destruct (Nat.eq_dec i 0), (Nat.eq_dec i 1); subst; lia. }
  assert (FIN : forall y, finished 2 labels b empty y -> matrix 4 y /\ forall i, (i < 2)%nat -> row 2 y i = sizes labels i /\ column 2 y i = b i).
  { intros y [F1 F2]. split. { apply F1. intros k K. reflexivity. } intros i K. destruct (F2 i K) as [R_ C]. rewrite R_, C.
    unfold row, column, empty, sizes. cbn. auto. }
  assert (DET : forall y, finished 2 labels b empty y -> det y = INR (total 2 b) * INR (y 0%nat) + - (INR (sizes labels 0%nat) * INR (b 0%nat))).
  { intros y F. destruct (FIN y F) as [Y E]. destruct (E 0%nat ltac:(lia)) as [A B]. destruct (E 1%nat ltac:(lia)) as [A' B'].
    rewrite <- A, <- B. unfold total, classes. cbn [seq map list_sum fold_right]. rewrite <- B, <- B'.
    unfold det, row, column, classes, cell. cbn [seq map list_sum fold_right Nat.mul Nat.add]. rewrite !plus_INR. simpl (INR 0). ring. }
  assert (AV : average 2 det labels b empty = 0).
  { rewrite (average_ext 2 labels b empty det (fun y => INR (total 2 b) * INR (y (cell 2 0 0)) + - (INR (sizes labels 0%nat) * INR (b 0%nat)))) by auto.
    rewrite average_plus, average_times, average_cell by (auto; lia).
    assert (ONE : forall k, average 2 (fun _ => k) labels b empty = k).
    { intros k. clear - L LEN. revert b LEN. generalize empty. induction labels as [|i others IH]; intros z b S; cbn [average]; auto.
      rewrite (sum_ext _ (fun j => k * (INR (b j) / INR (total 2 b)))).
      - rewrite sum_times, shares_add_up by (rewrite S; simpl; lia). ring.
      - intros j J. apply in_seq in J. destruct (Nat.eq_dec (b j) 0) as [E|E]. { rewrite E. simpl. unfold Rdiv. ring. }
        rewrite IH; [ring | intros; apply L; right; auto |]. unfold sizes_agree in *. rewrite total_decreased by lia. rewrite S. reflexivity. }
    rewrite ONE, <- LEN. unfold empty at 1, sizes. simpl (INR 0). apply (lt_INR 0) in N. rewrite T in N. field. simpl in N. lra. }
  set (E := average 2 g labels b empty).
  assert (K : forall y, finished 2 labels b empty y -> g y * E = 0).
  { intros y F. destruct (FIN y F) as [Y EY]. destruct (M f y) as [x|] eqn:X; [|exfalso; exact (W y Y EY X)].
    assert (GY : g y = x - constant c) by (unfold g; rewrite X; auto).
    destruct (Req_EM_T (det y) 0) as [Z|Z].
    - assert (x = constant c); [|rewrite GY, H0; ring]. eapply (check_independent_ok e c 2 D several f I (sizes labels) b); [repeat split; auto | auto |].
      rewrite <- X. apply value_ext. intros k. rewrite (DET y F) in Z. apply (lt_INR 0) in N. rewrite T in N. unfold guessed. rewrite T.
      destruct (EY 0%nat ltac:(lia)) as [A B]. destruct (EY 1%nat ltac:(lia)) as [A' B'].
      assert (Q : INR (total 2 b) = INR (b 0%nat) + INR (b 1%nat)). { unfold total, classes. cbn [seq map list_sum fold_right]. rewrite !plus_INR. simpl (INR 0). ring. }
      assert (Q' : INR (total 2 b) = INR (sizes labels 0%nat) + INR (sizes labels 1%nat)). { rewrite <- T. unfold total, classes. cbn [seq map list_sum fold_right]. rewrite !plus_INR. simpl (INR 0). ring. }
      apply (f_equal INR) in A, B, A', B'. unfold row, column, classes, cell in A, B, A', B'. cbn [seq map list_sum fold_right Nat.mul Nat.add] in A, B, A', B'.
      rewrite !plus_INR in A, B, A', B'. simpl (INR 0) in *.
      assert (Z0 : INR (y 0%nat) = INR (sizes labels 0%nat) * INR (b 0%nat) / INR (total 2 b)).
      { apply Rmult_eq_reg_l with (INR (total 2 b)); [|lra]. field_simplify; [lra | lra]. }
      destruct k as [|[|[|[|k]]]]; cbn [Nat.ltb Nat.leb Nat.mul Nat.add Nat.div Nat.modulo Nat.divmod fst snd Nat.sub].
      + auto.
      + replace (INR (y 1%nat)) with (INR (sizes labels 0%nat) - INR (y 0%nat)) by lra. rewrite Z0, Q. field. lra.
      + replace (INR (y 2%nat)) with (INR (b 0%nat) - INR (y 0%nat)) by lra. rewrite Z0, Q'. field. lra.
      + replace (INR (y 3%nat)) with (INR (b 1%nat) - (INR (sizes labels 0%nat) - INR (y 0%nat))) by lra. rewrite Z0.
        replace (INR (sizes labels 1%nat)) with (INR (total 2 b) - INR (sizes labels 0%nat)) by lra.
        replace (INR (b 1%nat)) with (INR (total 2 b) - INR (b 0%nat)) by lra. field. lra.
      + destruct (Nat.ltb_spec (S (S (S (S k)))) 4); [lia|]. rewrite Y by lia. reflexivity.
    - assert (P : E * det y = 0); [|apply Rmult_integral in P as [P|P]; [rewrite P; ring | contradiction]].
      unfold E. rewrite Rmult_comm, <- average_times. rewrite (average_ext 2 labels b empty _ (fun z => g y * det z)); auto.
      + rewrite average_times, AV. ring.
      + intros z FZ. destruct (FIN z FZ) as [MZ EZ]. destruct (M f z) as [w|] eqn:XZ; [|exfalso; exact (W z MZ EZ XZ)].
        unfold g at 1. rewrite XZ, GY. cbn [or_zero]. rewrite Rmult_comm. symmetry.
        eapply (proportional_ok e (baseline_side 2 D) c f y z); eauto.
        * intros i Hi. destruct (EY i Hi), (EZ i Hi). lia.
        * unfold baseline_side. assert (P1 : pattern 2 (row 2 y) = pattern 2 (sizes labels)) by (unfold pattern; apply map_ext_in; intros i Hi; apply in_seq in Hi; destruct (EY i ltac:(lia)) as [R1 _]; rewrite R1; auto).
          assert (P2 : pattern 2 (column 2 y) = pattern 2 b) by (unfold pattern; apply map_ext_in; intros i Hi; apply in_seq in Hi; destruct (EY i ltac:(lia)) as [_ R2]; rewrite R2; auto).
          rewrite P1, P2, SV, HD. auto. }
  assert (Z : E = 0).
  { assert (Q : E * E = 0).
    { unfold E at 2. rewrite <- average_times. rewrite (average_ext 2 labels b empty _ (fun z => 0 * det z)); auto.
      - rewrite average_times. ring.
      - intros y F. rewrite Rmult_comm, (K y F). ring. }
    apply Rmult_integral in Q as [Q|Q]; auto. }
  unfold E, g in Z. rewrite (average_ext 2 labels b empty _ (fun y => or_zero (M f y) + (- constant c) * 1)) in Z by (auto; intros; ring).
  rewrite average_plus, average_times in Z.
  assert (ONE : average 2 (fun _ => 1) labels b empty = 1).
  { clear - L LEN. revert b LEN. generalize empty. induction labels as [|i others IH]; intros z b S; cbn [average]; auto.
    rewrite (sum_ext _ (fun j => 1 * (INR (b j) / INR (total 2 b)))).
    - rewrite sum_times, shares_add_up by (rewrite S; simpl; lia). ring.
    - intros j J. apply in_seq in J. destruct (Nat.eq_dec (b j) 0) as [E|E]. { rewrite E. simpl. unfold Rdiv. ring. }
      rewrite IH; [ring | intros; apply L; right; auto |]. unfold sizes_agree in *. rewrite total_decreased by lia. rewrite S. reflexivity. }
  rewrite ONE in Z. lra.
Qed.

(* Sebastiani, Axiom 6, for two classes: each prediction is paired with its complement, and the values of such a pair add
   up to 2c. *)

Definition complement (k : nat) : nat := match k with 0 => 1 | 1 => 0 | 2 => 3 | 3 => 2 | _ => k end%nat.
Definition both_or_none (e : expr) : decision := fun c rs =>
  match rs with
  | [Known _; Known _; Known _] => equation e c rs
  | Nothing :: Nothing :: _ => Yes
  | [Unknown a; Unknown b; _] => Ask (a ++ b)
  | [Unknown a; _; _] | [_; Unknown a; _] => Ask a
  | _ => No
  end.
Definition paired : expr := Sub (Add (Ref 0) (Ref 1)) (Add (Ref 2) (Ref 2)).
Definition paired_values (xs : list (option R)) : Prop :=
  forall c, nth 2 xs None = Some c ->
  (nth 0 xs None = None /\ nth 1 xs None = None) \/ exists x y, nth 0 xs None = Some x /\ nth 1 xs None = Some y /\ x + y = 2 * c.
Lemma both_or_none_ok : decides (both_or_none paired) paired_values.
Proof.
  intros w v rs xs G H D c C. pose proof (equation_ok paired w v rs xs G H) as E.
  destruct H as [|a x rs xs A H]; [discriminate|]. destruct H as [|b y rs xs B H]; [destruct a; discriminate|]. cbn [nth].
  assert (BOTH : forall p q, a = Known p -> b = Known q -> (exists x' y', x = Some x' /\ y = Some y' /\ x' + y' = 2 * c)).
  { intros p q -> ->. simpl in A, B. destruct A as [-> _], B as [-> _]. destruct rs as [|r [|]]; try discriminate.
    - destruct r; try discriminate. inversion H as [|r' z' rs' xs' R_ HR]; subst. inversion HR; subst. cbn [both_or_none] in D. specialize (E D).
      cbn [nth] in C. subst. unfold solved, paired in E. cbn [eval bind nth] in E. specialize (E _ eq_refl).
      exists (fraction_value v p), (fraction_value v q). repeat split; auto. lra.
    - destruct r; discriminate. }
  destruct a as [p| |la]; destruct b as [q| |lb]; simpl in A, B; subst; auto; try (destruct rs as [|r [|]]; try destruct r; discriminate).
  right. eapply BOTH; eauto.
Qed.
Definition three_readings (f : formulas) (c : expr) (s : list bool) : list reading :=
  [Reading (on_support s) f; Reading (on_image 4 complement s) f; Reading nowhere [c]].
Definition check_cha e (D : domain) (c : expr) f : bool :=
  is_constant c <&> every (fun s =>
    eqb (D 2%nat s) (D 2%nat (map (fun k => has s (complement k)) (seq 0 4))) <&>
    (negb (D 2%nat s) <|> decided e counts_are_whole 4 (three_readings f c s) (both_or_none paired))) (supports 4).
Lemma complemented_pattern : forall z, matrix 4 z -> pattern 4 (image 4 complement z) = map (fun k => has (pattern 4 z) (complement k)) (seq 0 4).
Proof. intros z Z. unfold pattern at 1. cbn [seq map]. unfold image, complement. cbn [Nat.ltb Nat.leb]. rewrite !has_pattern by auto. auto. Qed.
Lemma complement_described : forall z, matrix 4 z -> describes (numbers_of z) 4 (fun k => INR (image 4 complement z k)) (on_image 4 complement (pattern 4 z)).
Proof.
  intros z Z t v' w T G F k. unfold image, on_image. destruct (Nat.ltb_spec k 4).
  - destruct (supported_ok 4 z _ t v' Z ltac:(lia) ltac:(auto) F (complement k)) as [A B]. simpl. rewrite A. auto.
  - destruct (zero_ok v') as [A B]. simpl. rewrite A. auto.
Qed.
Definition deviation (D : domain) (f : formulas) (c : R) (z : counts) : R :=
  if D 2%nat (pattern (2 * 2) z) then match M f z with Some x => x - c | None => 0 end else 0.
Lemma deviations_cancel : forall e D c f z, check_cha e D c f = true -> matrix 4 z ->
  deviation D f (constant c) z + deviation D f (constant c) (image 4 complement z) = 0.
Proof.
  intros e D c f z H Z. unfold check_cha in H. apply both_true in H as [I H]. rewrite every_forall in H.
  specialize (H _ (in_pattern 4 z)). cbv beta in H. apply both_true in H as [Q H]. apply eqb_prop in Q.
  rewrite <- complemented_pattern in Q by auto. unfold deviation. change (2 * 2)%nat with 4%nat. rewrite <- Q.
  destruct (D 2%nat (pattern 4 z)) eqn:DZ; [|ring]. cbn [negb] in H.
  apply (settled_ok (three_readings f c (pattern 4 z)) (both_or_none paired) (breadth e) paired_values both_or_none_ok (numbers_of z)
    [fun k => INR (z k); fun k => INR (image 4 complement z k); fun _ => 0] 4) with (u := numbers_of z) in H; auto using variables_length, numbers_good.
  - unfold paired_values in H. cbn [three_readings map combine formula fst snd nth] in H. rewrite is_constant_ok in H by auto.
    specialize (H _ eq_refl). unfold M. destruct H as [[H1 H2]|(x & y & H1 & H2 & H3)]; rewrite H1, H2; lra.
  - unfold three_readings. apply Forall2_cons; [apply on_support_ok; auto|]. apply Forall2_cons; [apply complement_described; auto|].
    apply Forall2_cons; [apply nowhere_ok | apply Forall2_nil].
  - apply variables_fit. apply (numbers_good z).
Qed.
Lemma sum_over_ext : forall labels g h z, (forall i, In i labels -> (i < 2)%nat) -> matrix 4 z -> (forall y, matrix 4 y -> g y = h y) ->
  sum_over_predictions 2 g labels z = sum_over_predictions 2 h labels z.
Proof.
  induction labels as [|i others IH]; intros g h z L Z H; cbn [sum_over_predictions]; auto. apply sum_ext. intros j J. apply in_seq in J.
  apply IH; auto; [intros; apply L; right; auto | apply (matrix_increased 2); auto; [apply L; left; auto | lia]].
Qed.
Lemma sum_over_plus : forall labels g h z,
  sum_over_predictions 2 (fun y => g y + h y) labels z = sum_over_predictions 2 g labels z + sum_over_predictions 2 h labels z.
Proof. induction labels as [|i others IH]; intros g h z; cbn [sum_over_predictions]; auto. rewrite <- sum_plus. apply sum_ext. intros. apply IH. Qed.
Lemma sum_over_zero : forall labels z, sum_over_predictions 2 (fun _ => 0) labels z = 0.
Proof.
  induction labels as [|i others IH]; intros z; cbn [sum_over_predictions]; auto. unfold classes. cbn [seq map sum fold_right]. rewrite !IH. ring.
Qed.
Lemma sum_over_complements : forall labels g y z, (forall i, In i labels -> (i < 2)%nat) ->
  (forall y z, (forall k, y k = z k) -> g y = g z) -> (forall k, y k = image 4 complement z k) ->
  sum_over_predictions 2 (fun z => g (image 4 complement z)) labels z = sum_over_predictions 2 g labels y.
Proof.
  induction labels as [|i others IH]; intros g y z L G E; cbn [sum_over_predictions]. { apply G. intros. symmetry. auto. }
  assert (I : (i < 2)%nat) by (apply L; left; auto). unfold classes. cbn [seq map sum fold_right].
  assert (A : forall j, (j < 2)%nat -> forall k, increased y (cell 2 i (1 - j)) k = image 4 complement (increased z (cell 2 i j)) k).
  { intros j J k. unfold increased. rewrite E. unfold image. destruct i as [|[|]], j as [|[|]]; try lia;
      destruct k as [|[|[|[|k]]]]; cbn [Nat.ltb Nat.leb complement cell Nat.mul Nat.add Nat.sub Nat.eqb]; auto;
      destruct (Nat.ltb_spec (S (S (S (S k)))) 4); lia. }
  rewrite (IH g (increased y (cell 2 i 1)) (increased z (cell 2 i 0))), (IH g (increased y (cell 2 i 0)) (increased z (cell 2 i 1)));
    auto; try (intros; apply L; right; auto); [ring | apply (A 1%nat); lia | apply (A 0%nat); lia].
Qed.
Theorem cha_proved : forall e c D f, check_cha e D c f = true -> sebastiani_cha 2 D f.
Proof.
  intros e c D f H. exists (constant c). intros labels L _.
  change (sum_over_predictions 2 (deviation D f (constant c)) labels empty = 0).
  set (g := deviation D f (constant c)).
  assert (G : forall y z, (forall k, y k = z k) -> g y = g z).
  { intros y z E. unfold g, deviation. replace (pattern (2 * 2) y) with (pattern (2 * 2) z).
    - rewrite (M_ext f y z E). auto.
    - unfold pattern. apply map_ext. intros. rewrite E. auto. }
  assert (A : sum_over_predictions 2 (fun z => g z + g (image 4 complement z)) labels empty = 0).
  { rewrite (sum_over_ext labels _ (fun _ => 0)); auto using sum_over_zero.
    - intros k K. reflexivity.
    - intros y Y. exact (deviations_cancel e D c f y H Y). }
  rewrite sum_over_plus, (sum_over_complements labels g empty empty) in A; auto.
  - lra.
  - intros k. unfold image, empty. destruct (k <? 4)%nat; auto.
Qed.

(* Opitz, Property V, where all guesses score the same: it remains to show something better. *)

Definition check_better e m (D : domain) (c : expr) f (l : list nat) : bool :=
  is_constant c <&> (length l <=? m * m)%nat <&> D m (pattern (m * m) (counts_of l)) <&>
  decided e counts_are_whole 0 (with_constant (fixed l) f c) (compare_two (fun s => match s with Gt => true | _ => false end)) <&>
  decided e counts_are_whole 0 (one_reading (fixed l) f) (state true).
Definition check_chance e m (D : domain) (c : expr) (l : list nat) f : bool :=
  check_independent e m D (fun _ => true) c f <&> check_better e m D c f l.
Theorem chance_proved : forall e c l m D f, check_chance e m D c l f = true -> opitz_chance_corrected m D f.
Proof.
  intros e c l m D f H. unfold check_chance in H. apply both_true in H as [I B]. unfold check_better in B.
  apply both_true in B as [B DEF]. apply both_true in B as [B C]. apply both_true in B as [B DL]. apply both_true in B as [IC L].
  exists (constant c). split.
  - intros a (b & x & T & X). split.
    + intros y (b' & T' & Y). rewrite (check_independent_ok e c m D _ f I a b' T' eq_refl y Y). lra.
    + intros u U. apply U. exists b. split; auto. rewrite X. f_equal. exact (check_independent_ok e c m D _ f I a b T eq_refl x X).
  - pose proof (counts_of_matrix (m * m) l L) as Z. pose proof (fixed_ok (numbers_of (counts_of l)) 0 l) as F.
    pose proof (state_decided _ _ _ _ _ _ _ true (numbers_good (counts_of l)) F DEF) as V. cbn iota in V.
    destruct (M f (counts_of l)) as [x|] eqn:X; [|contradiction]. exists (counts_of l), x. repeat split; auto.
    destruct (constant_compared _ _ _ _ _ _ _ _ _ x (numbers_good (counts_of l)) IC F C X) as (s & S1 & S2).
    destruct s; try discriminate. unfold sign_is in S2. lra.
Qed.
