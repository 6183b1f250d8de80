(* Refutations that list matrices or add up values: ranges, averages, distances, flatness. *)
From Coq Require Import Reals ZArith QArith Qreals List Bool Lra Lia PeanoNat.
From Goodmeasure Require Import Tree Polynomials Signs Fractions Reading Cases Statements Supports Comparing Definedness Averages Examples.
Import ListNotations.
Local Open Scope R_scope.

(* All matrices with given row sums *)

Fixpoint compositions (parts n : nat) : list (list nat) :=
  match parts with
  | O => match n with O => [[]] | _ => [] end
  | S p => flat_map (fun x => map (cons x) (compositions p (n - x))) (seq 0 (S n))
  end.
Fixpoint tables (m : nat) (sizes : list nat) : list (list nat) :=
  match sizes with [] => [[]] | n :: others => flat_map (fun r => map (app r) (tables m others)) (compositions m n) end.
Lemma in_compositions : forall l, In l (compositions (length l) (list_sum l)).
Proof.
  induction l as [|x l IH]; [left; auto|]. cbn [length compositions]. apply in_flat_map. exists x.
  change (list_sum (x :: l)) with (x + list_sum l)%nat. split; [apply in_seq; lia|].
  apply in_map. replace (x + list_sum l - x)%nat with (list_sum l) by lia. auto.
Qed.
Lemma in_tables : forall m (z : counts) k i, In (map z (seq (i * m) (k * m))) (tables m (map (row m z) (seq i k))).
Proof.
  intros m z. induction k as [|k IH]; intros i; [left; auto|]. cbn [seq map tables]. apply in_flat_map.
  exists (map z (seq (i * m) m)). split.
  - unfold row at 1. replace (map (fun j => z (cell m i j)) (classes m)) with (map z (seq (i * m) m)).
    + pose proof (in_compositions (map z (seq (i * m) m))) as C. rewrite map_length, seq_length in C. auto.
    + unfold classes, cell. assert (A : forall n s, map z (seq (i * m + s) n) = map (fun j => z (i * m + j)%nat) (seq s n)).
      { induction n; intros s; auto. cbn [seq map]. rewrite <- IHn. f_equal. f_equal. f_equal. lia. }
      rewrite <- (A m 0%nat). f_equal. f_equal. lia.
  - cbn [Nat.mul]. rewrite seq_app, map_app. apply in_map. specialize (IH (S i)). cbn [Nat.mul] in IH.
    replace (i * m + m)%nat with (m + i * m)%nat by lia. auto.
Qed.
Lemma as_table : forall m z y, matrix (m * m) z -> same_true_sizes m y z ->
  exists l, In l (tables m (map (row m y) (classes m))) /\ forall k, counts_of l k = z k.
Proof.
  intros m z y Z S. exists (map z (seq 0 (m * m))). split.
  - replace (map (row m y) (classes m)) with (map (row m z) (classes m)).
    + exact (in_tables m z m 0).
    + apply map_ext_in. intros i I. apply in_seq in I. symmetry. apply S. lia.
  - intros k. unfold counts_of. destruct (Nat.ltb_spec k (m * m)).
    + rewrite nth_indep with (d' := z 0%nat) by (rewrite map_length, seq_length; auto). rewrite map_nth, seq_nth by auto. auto.
    + rewrite nth_overflow by (rewrite map_length, seq_length; auto). rewrite Z; auto.
Qed.

(* Sebastiani, Axiom 5: y has a smaller (or greater) value than all predictions for the test set of w. *)
Definition refute_fix m (D : domain) f (least : bool) (y w : list nat) : bool :=
  let inside l := D m (pattern (m * m) (counts_of l)) in
  (length y <=? m * m)%nat <&> (length w <=? m * m)%nat <&> inside y <&> inside w <&> is_defined_at true f w <&> is_defined_at true f y <&>
  every (fun l => negb (inside l) <|> is_defined_at false f l <|>
    values_are (fun c => match c with Lt => least | Gt => negb least | Eq => false end) f f y l)
    (tables m (map (row m (counts_of w)) (classes m))).
Theorem fix_refuted : forall least y w m D f, refute_fix m D f least y w = true -> ~ sebastiani_fix m D f.
Proof.
  intros least y w m D f H (low & high & C). unfold refute_fix in H. cbv zeta in H. apply both_true in H as [H E].
  apply both_true in H as [H VY]. apply both_true in H as [H VW]. apply both_true in H as [H DW]. apply both_true in H as [H DY].
  apply both_true in H as [LY LW]. pose proof (is_defined_at_ok true f w VW) as NW. pose proof (is_defined_at_ok true f y VY) as NY.
  cbn iota in NW, NY. destruct (M f (counts_of w)) as [b|] eqn:W; [|contradiction]. destruct (M f (counts_of y)) as [a|] eqn:Y; [|contradiction].
  destruct (C _ a (counts_of_matrix _ y LY) DY Y) as (A1 & _ & _). destruct (C _ b (counts_of_matrix _ w LW) DW W) as (_ & R1 & R2).
  rewrite every_forall in E.
  assert (K : forall x, reached m D f (counts_of w) x -> if least then a < x else x < a).
  { intros x (z & Z & DZ & S & X). destruct (as_table m z (counts_of w) Z S) as (l & IL & L). specialize (E l IL).
    rewrite (pattern_ext _ _ _ L), DZ in E. cbn [negb] in E. rewrite <- (M_ext f _ _ L) in X. apply one_true in E as [E|E].
    - pose proof (is_defined_at_ok false f l E). simpl in *. congruence.
    - destruct (values_are_ok _ _ _ _ _ E) as (u & t & c & U & T & O & Q). rewrite Y in U. rewrite X in T. injection U as <-. injection T as <-.
      destruct least, c; try discriminate; unfold sign_is in Q; lra. }
  destruct least; [specialize (K low R1) | specialize (K high R2)]; lra.
Qed.

(* Values of formulas of values *)
Definition formula_sign (e : expr) (ok : comparison -> bool) : decision := fun c rs =>
  match read c (nowhere []) rs e with Known x => if every ok (sign fuel c (above x)) then Yes else No | _ => No end.
Definition has_sign (e : expr) (ok : comparison -> bool) (xs : list (option R)) : Prop :=
  exists x c, eval (fun _ => 0) xs e = Some x /\ ok c = true /\ sign_is c x.
Lemma formula_sign_ok : forall e ok, decides (formula_sign e ok) (has_sign e ok).
Proof.
  intros e ok w v rs xs G H D. unfold formula_sign in D. pose proof (read_ok w (nowhere []) v (fun _ => 0) G) as R_.
  specialize (R_ ltac:(intros k; exact (nowhere_ok v 0 [] v w eq_refl G ltac:(intros i I; inversion I) k)) rs xs H e).
  destruct (read w (nowhere []) rs e) as [p| |]; try discriminate. destruct R_ as [E P].
  pose proof (fraction_sign w v G fuel p) as (s & I & S). exists (fraction_value v p), s. repeat split; auto.
  destruct (every ok (sign fuel w (above p))) eqn:K; [|discriminate]. rewrite every_forall in K. auto.
Qed.

(* Averages over random predictions *)
Definition free : nat -> R := fun _ => 1.
Lemma free_good : good counts_are_whole free.
Proof. repeat split; try (intros; contradiction); [intros; unfold free; lra | intros; exists O; reflexivity]. Qed.
Definition value_at (f : formulas) (z : list nat) : outcome := read_measure counts_are_whole (fixed z []) f.
Lemma value_at_ok : forall f z, means free (value_at f z) (M f (counts_of z)).
Proof.
  intros f z. unfold value_at, M. apply read_measure_ok; [apply free_good|]. intros k.
  exact (fixed_ok free 0 z [] free counts_are_whole eq_refl free_good ltac:(intros i I; inversion I) k).
Qed.
Definition one_less (b : list nat) (j : nat) : list nat := map (fun i => (nth i b 0 - if (i =? j)%nat then 1 else 0)%nat) (seq 0 (length b)).
Lemma one_less_ok : forall b j i, counts_of (one_less b j) i = decreased (counts_of b) j i.
Proof.
  intros b j i. unfold counts_of, one_less, decreased. destruct (Nat.ltb_spec i (length b)).
  - set (g := fun i => (nth i b 0 - (if (i =? j)%nat then 1 else 0))%nat). rewrite nth_indep with (d' := g 0%nat) by (rewrite map_length, seq_length; auto).
    rewrite map_nth, seq_nth by auto. reflexivity.
  - rewrite !nth_overflow by (rewrite ?map_length, ?seq_length; auto). lia.
Qed.
Definition one_more (n : nat) (z : list nat) (k : nat) : list nat := map (fun i => (nth i z 0 + if (i =? k)%nat then 1 else 0)%nat) (seq 0 n).
Lemma one_more_ok : forall n z k, matrix n (counts_of z) -> (k < n)%nat -> forall i, counts_of (one_more n z k) i = increased (counts_of z) k i.
Proof.
  intros n z k Z K i. unfold increased. specialize (Z i). unfold counts_of, one_more in *. destruct (Nat.ltb_spec i n).
  - set (g := fun i => (nth i z 0 + (if (i =? k)%nat then 1 else 0))%nat). rewrite nth_indep with (d' := g 0%nat) by (rewrite map_length, seq_length; auto).
    rewrite map_nth, seq_nth by auto. reflexivity.
  - rewrite (nth_overflow (map _ _)) by (rewrite map_length, seq_length; auto). rewrite Z by auto. destruct (Nat.eqb_spec i k); lia.
Qed.
Lemma one_more_matrix : forall n z k, matrix n (counts_of (one_more n z k)).
Proof. intros n z k i I. unfold counts_of, one_more. apply nth_overflow. rewrite map_length, seq_length. auto. Qed.
Definition plus_fraction (x y : option fraction) : option fraction := match x, y with Some p, Some q => add p q | _, _ => None end.
Fixpoint average_at (m : nat) (f : formulas) (labels b z : list nat) : option fraction :=
  match labels with
  | [] => match value_at f z with Known x => Some x | _ => None end
  | i :: others =>
      fold_right (fun j s =>
        if (nth j b 0 =? 0)%nat then s else
        plus_fraction (match average_at m f others (one_less b j) (one_more (m * m) z (cell m i j)) with
                       | Some x => Some (mul (number (Z.of_nat (nth j b 0%nat)) (Pos.of_nat (total m (counts_of b)))) x) | None => None end) s)
        (Some zero) (classes m)
  end.
Lemma total_ext : forall m b c, (forall k, b k = c k) -> total m b = total m c.
Proof. intros m b c H. unfold total. f_equal. apply map_ext. auto. Qed.
Lemma average_respects : forall m g labels b c y z, (forall y z, (forall k, y k = z k) -> g y = g z) -> (forall k, b k = c k) ->
  (forall k, y k = z k) -> average m g labels b y = average m g labels c z.
Proof.
  intros m g. induction labels as [|i others IH]; intros b c y z G B E; cbn [average]; auto. apply sum_ext. intros j _.
  rewrite B, (total_ext m b c B). f_equal. apply IH; auto; intros k; [unfold decreased; rewrite B; auto | unfold increased; rewrite E; auto].
Qed.
Lemma average_at_ok : forall m f labels b z x, (forall i, In i labels -> (i < m)%nat) -> matrix (m * m) (counts_of z) ->
  average_at m f labels b z = Some x -> average m (fun y => or_zero (M f y)) labels (counts_of b) (counts_of z) = fraction_value free x /\ sound free x.
Proof.
  intros m f. induction labels as [|i others IH]; intros b z x L Z H; cbn [average_at average] in *.
  { pose proof (value_at_ok f z) as V. destruct (value_at f z); try discriminate. injection H as <-. destruct V as [-> V]. auto. }
  assert (I : (i < m)%nat) by (apply L; left; auto).
  assert (A : forall l y, (forall j, In j l -> (j < m)%nat) -> fold_right (fun j s =>
        if (nth j b 0 =? 0)%nat then s else
        plus_fraction (match average_at m f others (one_less b j) (one_more (m * m) z (cell m i j)) with
                       | Some x => Some (mul (number (Z.of_nat (nth j b 0%nat)) (Pos.of_nat (total m (counts_of b)))) x) | None => None end) s)
        (Some zero) l = Some y ->
      sum (map (fun j => INR (counts_of b j) / INR (total m (counts_of b)) *
         average m (fun y => or_zero (M f y)) others (decreased (counts_of b) j) (increased (counts_of z) (cell m i j))) l) = fraction_value free y /\ sound free y).
  { induction l as [|j l IHl]; intros y J Y; cbn [fold_right map sum] in *.
    { injection Y as <-. destruct (zero_ok free) as [Z1 Z2]. rewrite Z1. auto. }
    fold (sum (map (fun j => INR (counts_of b j) / INR (total m (counts_of b)) *
         average m (fun y => or_zero (M f y)) others (decreased (counts_of b) j) (increased (counts_of z) (cell m i j))) l)).
    destruct (Nat.eqb_spec (nth j b 0%nat) 0) as [E|E].
    { destruct (IHl y ltac:(intros; apply J; right; auto) Y) as [S1 S2]. split; auto. rewrite S1. unfold counts_of at 1. rewrite E. simpl. unfold Rdiv. ring. }
    set (rest := fold_right _ (Some zero) l) in *. clearbody rest.
    destruct (average_at m f others (one_less b j) (one_more (m * m) z (cell m i j))) as [a|] eqn:AV; [|discriminate].
    destruct rest as [s|]; [|discriminate]. cbn [plus_fraction] in Y.
    destruct (IHl s ltac:(intros; apply J; right; auto) eq_refl) as [S1 S2].
    destruct (IH (one_less b j) (one_more (m * m) z (cell m i j)) a ltac:(intros; apply L; right; auto) (one_more_matrix _ _ _) AV) as [A1 A2].
    destruct (number_ok free (Z.of_nat (nth j b 0%nat)) (Pos.of_nat (total m (counts_of b)))) as [N1 N2].
    destruct (mul_ok counts_are_whole free free_good _ _ N2 A2) as [M1 M2].
    destruct (add_ok counts_are_whole free free_good _ _ _ M2 S2 Y) as [B1 B2]. split; auto. rewrite B1, M1, N1, <- S1, <- A1.
    assert (T : (total m (counts_of b) <> 0)%nat).
    { pose proof (list_sum_le (counts_of b) (classes m) j ltac:(apply in_seq; split; [lia | apply J; left; auto])). unfold total, counts_of in *. lia. }
    f_equal. f_equal.
    - unfold counts_of at 1. rewrite <- INR_IZR_INZ. f_equal. rewrite INR_IZR_INZ. f_equal. rewrite <- (Nat2Pos.id (total m (counts_of b))) at 1 by auto.
      rewrite positive_nat_Z. auto.
    - apply average_respects.
      + intros p q PQ. rewrite (M_ext f p q PQ). auto.
      + intros k. symmetry. apply one_less_ok.
      + intros k. symmetry. apply one_more_ok; auto. apply cell_small; auto. apply J. left. auto. }
  apply (A (classes m) x); auto. intros j J. apply in_seq in J. lia.
Qed.
Definition all_labels m (l : list nat) : bool := every (fun i => (i <? m)%nat) l.
Definition sizes_list m (labels : list nat) : list nat := map (fun i => count i labels) (classes m).
(* Every prediction with these class sizes has a value. *)
Definition all_defined m f (labels b : list nat) : bool :=
  every (fun l => negb (every (fun j => (column m (counts_of l) j =? nth j b 0)%nat) (classes m)) <|> is_defined_at true f l)
    (tables m (sizes_list m labels)).
Definition average_known m (D : domain) f (labels b : list nat) : bool :=
  all_labels m labels <&> all_defined m f labels b <&> good_sizes m D several (sizes_list m labels) b <&> (length b <=? m)%nat.
Definition refute_baseline m (D : domain) f (labels b labels' b' : list nat) : bool :=
  average_known m D f labels b <&> average_known m D f labels' b' <&>
  match average_at m f labels b [], average_at m f labels' b' [] with
  | Some x, Some y => every differ (difference_sign fuel counts_are_whole x y) | _, _ => false end.
Lemma sizes_list_ok : forall m labels i, (i < m)%nat -> counts_of (sizes_list m labels) i = sizes labels i.
Proof.
  intros m labels i I. unfold counts_of, sizes_list, sizes. rewrite nth_indep with (d' := count 0 labels) by (rewrite map_length; unfold classes; rewrite seq_length; auto).
  rewrite (map_nth (fun i => count i labels)). f_equal. unfold classes. apply seq_nth. auto.
Qed.
Lemma average_known_ok : forall m D f labels b x c, average_known m D f labels b = true -> average_at m f labels b [] = Some x ->
  (forall labels b, (forall i, In i labels -> (i < m)%nat) -> same_totals m D (sizes labels) b -> several (pattern m b) = true ->
    (forall z, matrix (m * m) z -> (forall i, (i < m)%nat -> row m z i = sizes labels i /\ column m z i = b i) -> M f z <> None) ->
    average m (fun z => or_zero (M f z)) labels b empty = c) -> fraction_value free x = c /\ sound free x.
Proof.
  intros m D f labels b x c H A C. unfold average_known in H. apply both_true in H as [H LB]. apply both_true in H as [H G].
  apply both_true in H as [L DEF]. unfold all_labels in L. rewrite every_forall in L.
  assert (L' : forall i, In i labels -> (i < m)%nat) by (intros i I; apply Nat.ltb_lt, L; auto).
  destruct (good_sizes_ok _ _ _ _ _ G) as [(T & N & DD) S].
  assert (SP : forall i, (i < m)%nat -> counts_of (sizes_list m labels) i = sizes labels i) by (intros; apply sizes_list_ok; auto).
  assert (PT : pattern m (counts_of (sizes_list m labels)) = pattern m (sizes labels)).
  { unfold pattern. apply map_ext_in. intros i I. apply in_seq in I. rewrite SP by lia. auto. }
  assert (TT : total m (counts_of (sizes_list m labels)) = total m (sizes labels)).
  { unfold total. f_equal. apply map_ext_in. intros i I. apply in_seq in I. apply SP. lia. }
  destruct (average_at_ok m f labels b [] x L' ltac:(intros [|k] _; reflexivity) A) as [V W]. split; auto. rewrite <- V.
  rewrite <- (C labels (counts_of b) L'); auto.
  - apply average_respects; auto; [intros y z E; rewrite (M_ext f y z E); auto | intros [|k]; reflexivity].
  - repeat split; [congruence | congruence | congruence].
  - intros z Z R_. assert (SR : same_true_sizes m (fun k => z k) z) by (intros i I; auto).
    destruct (as_table m z z Z SR) as (l & IL & E). unfold all_defined in DEF. rewrite every_forall in DEF.
    assert (Q : map (row m z) (classes m) = sizes_list m labels).
    { unfold sizes_list. apply map_ext_in. intros i I. apply in_seq in I. destruct (R_ i ltac:(lia)). auto. }
    rewrite Q in IL. specialize (DEF l IL). apply one_true in DEF as [K|K].
    + exfalso. apply negb_true_iff in K. assert (every (fun j => (column m (counts_of l) j =? nth j b 0)%nat) (classes m) = true); [|congruence].
      apply every_forall. intros j J. apply in_seq in J. apply Nat.eqb_eq. destruct (R_ j ltac:(lia)) as [_ CB]. change (nth j b 0%nat) with (counts_of b j).
      rewrite <- CB. destruct (margins_ext m _ _ E) as [_ CE]. apply CE.
    + pose proof (is_defined_at_ok true f l K) as U. cbn iota in U. rewrite (M_ext f _ _ E) in U. auto.
Qed.
Theorem baseline_refuted : forall labels b labels' b' m D f, refute_baseline m D f labels b labels' b' = true -> ~ constant_baseline m D f.
Proof.
  intros labels b labels' b' m D f H [c C]. unfold refute_baseline in H. apply both_true in H as [H S]. apply both_true in H as [H1 H2].
  destruct (average_at m f labels b []) as [x|] eqn:X; [|discriminate]. destruct (average_at m f labels' b' []) as [y|] eqn:Y; [|discriminate].
  destruct (average_known_ok m D f labels b x c H1 X C) as [E1 S1]. destruct (average_known_ok m D f labels' b' y c H2 Y C) as [E2 S2].
  destruct (difference_sign_ok counts_are_whole free free_good fuel x y S1 S2) as (s & I & Q). rewrite every_forall in S. specialize (S s I).
  rewrite E1, E2 in Q. destruct s; try discriminate; unfold sign_is in Q; lra.
Qed.

(* Sums over all predictions: of the values in the domain, and how many there are *)
Fixpoint sum_at (m : nat) (D : domain) (f : formulas) (labels z : list nat) : option (fraction * nat) :=
  match labels with
  | [] => if D m (pattern (m * m) (counts_of z))
          then match value_at f z with Known x => Some (x, 1%nat) | Nothing => Some (zero, 0%nat) | _ => None end else Some (zero, 0%nat)
  | i :: others => fold_right (fun j s =>
      match sum_at m D f others (one_more (m * m) z (cell m i j)), s with
      | Some (x, a), Some (y, b) => match add x y with Some t => Some (t, (a + b)%nat) | None => None end
      | _, _ => None
      end) (Some (zero, 0%nat)) (classes m)
  end.
Definition from_constant m (D : domain) f (c : R) (z : counts) : R :=
  if D m (pattern (m * m) z) then match M f z with Some x => x - c | None => 0 end else 0.
Lemma sum_respects : forall m D f c labels y z, (forall k, y k = z k) ->
  sum_over_predictions m (from_constant m D f c) labels y = sum_over_predictions m (from_constant m D f c) labels z.
Proof.
  intros m D f c. induction labels as [|i others IH]; intros y z E; cbn [sum_over_predictions].
  - unfold from_constant. rewrite (pattern_ext _ _ _ E), (M_ext f _ _ E). auto.
  - apply sum_ext. intros j _. apply IH. intros k. unfold increased. rewrite E. auto.
Qed.
Lemma sum_at_ok : forall m D f c labels z x a, (forall i, In i labels -> (i < m)%nat) -> matrix (m * m) (counts_of z) ->
  sum_at m D f labels z = Some (x, a) ->
  sum_over_predictions m (from_constant m D f c) labels (counts_of z) = fraction_value free x - INR a * c /\ sound free x.
Proof.
  intros m D f c. destruct (zero_ok free) as [Z1 Z2]. induction labels as [|i others IH]; intros z x a L Z H; cbn [sum_at sum_over_predictions] in *.
  { unfold from_constant. destruct (D m (pattern (m * m) (counts_of z))).
    - pose proof (value_at_ok f z) as V. destruct (value_at f z); try discriminate; injection H as <- <-; simpl in V.
      + destruct V as [-> V]. split; auto. simpl. ring.
      + rewrite V, Z1. split; auto. simpl. ring.
    - injection H as <- <-. rewrite Z1. split; auto. simpl. ring. }
  assert (I : (i < m)%nat) by (apply L; left; auto).
  assert (A : forall l x a, (forall j, In j l -> (j < m)%nat) -> fold_right (fun j s =>
      match sum_at m D f others (one_more (m * m) z (cell m i j)), s with
      | Some (x, a), Some (y, b) => match add x y with Some t => Some (t, (a + b)%nat) | None => None end
      | _, _ => None
      end) (Some (zero, 0%nat)) l = Some (x, a) ->
    sum (map (fun j => sum_over_predictions m (from_constant m D f c) others (increased (counts_of z) (cell m i j))) l) = fraction_value free x - INR a * c /\ sound free x).
  { clear x a H. induction l as [|j l IHl]; intros x a J H; cbn [fold_right map sum] in *.
    { injection H as <- <-. rewrite Z1. split; auto. simpl. ring. }
    fold (sum (map (fun j => sum_over_predictions m (from_constant m D f c) others (increased (counts_of z) (cell m i j))) l)).
    destruct (sum_at m D f others (one_more (m * m) z (cell m i j))) as [[p n]|] eqn:P; [|discriminate].
    destruct (fold_right _ (Some (zero, 0%nat)) l) as [[q k]|] eqn:Q; [|discriminate]. destruct (add p q) as [t|] eqn:T; [|discriminate].
    injection H as <- <-. destruct (IHl q k ltac:(intros; apply J; right; auto) eq_refl) as [S1 S2].
    destruct (IH _ p n ltac:(intros; apply L; right; auto) (one_more_matrix _ _ _) P) as [P1 P2].
    destruct (add_ok counts_are_whole free free_good p q t P2 S2 T) as [T1 T2]. split; auto. rewrite S1, T1, plus_INR.
    rewrite <- (sum_respects m D f c others (counts_of (one_more (m * m) z (cell m i j)))).
    - rewrite P1. ring.
    - intros k'. apply one_more_ok; auto. apply cell_small; auto. apply J. left. auto. }
  apply A; auto. intros j J. apply in_seq in J. lia.
Qed.
Definition times_number (x : fraction) (n : nat) : fraction := mul x (number (Z.of_nat n) 1).
Definition refute_cha m (D : domain) f (labels labels' : list nat) : bool :=
  all_labels m labels <&> all_labels m labels' <&> negb (is_nil labels) <&> negb (is_nil labels') <&>
  match sum_at m D f labels [], sum_at m D f labels' [] with
  | Some (x, a), Some (y, b) => (0 <? a)%nat <&> (0 <? b)%nat <&>
      every differ (difference_sign fuel counts_are_whole (times_number x b) (times_number y a))
  | _, _ => false end.
Theorem cha_refuted : forall labels labels' m D f, refute_cha m D f labels labels' = true -> ~ sebastiani_cha m D f.
Proof.
  intros labels labels' m D f H [c C]. unfold refute_cha in H. apply both_true in H as [H S]. apply both_true in H as [H N2].
  apply both_true in H as [H N1]. apply both_true in H as [L1 L2]. unfold all_labels in L1, L2. rewrite every_forall in L1, L2.
  assert (K1 : forall i, In i labels -> (i < m)%nat) by (intros i I; apply Nat.ltb_lt, L1; auto).
  assert (K2 : forall i, In i labels' -> (i < m)%nat) by (intros i I; apply Nat.ltb_lt, L2; auto).
  destruct (sum_at m D f labels []) as [[x a]|] eqn:X; [|discriminate]. destruct (sum_at m D f labels' []) as [[y b]|] eqn:Y; [|discriminate].
  apply both_true in S as [S1 S]. apply both_true in S1 as [A B]. apply Nat.ltb_lt in A, B.
  destruct (sum_at_ok m D f c labels [] x a K1 ltac:(intros [|k] _; reflexivity) X) as [E1 F1].
  destruct (sum_at_ok m D f c labels' [] y b K2 ltac:(intros [|k] _; reflexivity) Y) as [E2 F2].
  assert (Z1 : sum_over_predictions m (from_constant m D f c) labels (counts_of []) = 0).
  { rewrite (sum_respects m D f c labels _ empty) by (intros [|k]; reflexivity). apply C; auto. destruct labels; [discriminate | congruence]. }
  assert (Z2 : sum_over_predictions m (from_constant m D f c) labels' (counts_of []) = 0).
  { rewrite (sum_respects m D f c labels' _ empty) by (intros [|k]; reflexivity). apply C; auto. destruct labels'; [discriminate | congruence]. }
  assert (P : forall x n, sound free x -> fraction_value free (times_number x n) = fraction_value free x * INR n /\ sound free (times_number x n)).
  { intros x0 n X0. unfold times_number. destruct (number_ok free (Z.of_nat n) 1) as [M1 M2].
    destruct (mul_ok counts_are_whole free free_good x0 _ X0 M2) as [Q1 Q2]. split; auto. rewrite Q1, M1, INR_IZR_INZ. field. }
  destruct (P x b F1) as [P1 P2]. destruct (P y a F2) as [P3 P4].
  destruct (difference_sign_ok counts_are_whole free free_good fuel _ _ P2 P4) as (s & I & Q). rewrite every_forall in S. specialize (S s I).
  rewrite P1, P3 in Q. assert (fraction_value free x * INR b - fraction_value free y * INR a = 0).
  { replace (fraction_value free x) with (INR a * c) by lra. replace (fraction_value free y) with (INR b * c) by lra. ring. }
  rewrite H in Q. destruct s; try discriminate; unfold sign_is in Q; lra.
Qed.

(* Distances *)
Theorem distance_refuted_by_image : forall l m D f, refute_invariant (m * m) (D m) (transposed m) f l = true -> ~ distance m D f.
Proof. intros l m D f H [S _]. exact (symmetry_refuted l m D f H S). Qed.
Theorem distance_refuted_by_extremes : forall y z m D f, refute_extreme (m * m) (D m) (diagonal m) true f y z = true -> ~ distance m D f.
Proof.
  intros y z m D f H [_ [c [C _]]]. apply (extreme_refuted y z _ _ _ _ _ H). exists c. intros u U DU x X. exact (C u x U DU X).
Qed.
Definition listed n (z : counts) : list nat := map z (seq 0 n).
Lemma listed_ok : forall n z k, matrix n z -> counts_of (listed n z) k = z k.
Proof.
  intros n z k Z. unfold counts_of, listed. destruct (Nat.ltb_spec k n).
  - rewrite nth_indep with (d' := z 0%nat) by (rewrite map_length, seq_length; auto). rewrite map_nth, seq_nth by auto. auto.
  - rewrite nth_overflow by (rewrite map_length, seq_length; auto). rewrite Z; auto.
Qed.
Definition refute_triangle m (D : domain) f (t best : list nat) : bool :=
  let u := counts_of t in let n := (m * m)%nat in
  let a := listed n (first_two m u) in let b := listed n (last_two m u) in let c := listed n (outer_two m u) in
  (length t <=? m * m * m)%nat <&> (length best <=? n)%nat <&> D m (pattern n (first_two m u)) <&> D m (pattern n (last_two m u)) <&>
  D m (pattern n (outer_two m u)) <&> D m (pattern n (counts_of best)) <&> diagonal m (pattern n (counts_of best)) <&>
  decided_at [Reading (fixed a) f; Reading (fixed b) f; Reading (fixed c) f; Reading (fixed best) f]
    (formula_sign (Sub (Sub (Add (Ref 0) (Ref 1)) (Ref 2)) (Ref 3)) (fun s => match s with Gt => true | _ => false end)).
Theorem distance_refuted : forall t best m D f, refute_triangle m D f t best = true -> ~ distance m D f.
Proof.
  intros t best m D f H [_ [c [C T]]]. unfold refute_triangle in H. cbv zeta in H. apply both_true in H as [H V]. apply both_true in H as [H DG].
  apply both_true in H as [H DB]. apply both_true in H as [H D3]. apply both_true in H as [H D2]. apply both_true in H as [H D1]. apply both_true in H as [LT LB].
  set (u := counts_of t) in *. set (n := (m * m)%nat) in *.
  assert (M1 : matrix n (first_two m u)) by (intros k K; unfold first_two; destruct (Nat.ltb_spec k (m * m)); auto; unfold n in K; lia).
  assert (M2 : matrix n (last_two m u)) by (intros k K; unfold last_two; destruct (Nat.ltb_spec k (m * m)); auto; unfold n in K; lia).
  assert (M3 : matrix n (outer_two m u)) by (intros k K; unfold outer_two; destruct (Nat.ltb_spec k (m * m)); auto; unfold n in K; lia).
  pose proof (fun l => fixed_ok (fun _ => 1) 0 l) as F.
  apply (decided_at_ok _ _ _ [fun k => INR (counts_of (listed n (first_two m u)) k); fun k => INR (counts_of (listed n (last_two m u)) k);
    fun k => INR (counts_of (listed n (outer_two m u)) k); fun k => INR (counts_of best k)] (formula_sign_ok _ _)) in V.
  - destruct V as (x & s & E & O & Q). cbn [map combine formula fst snd eval bind nth] in E.
    fold (M f (counts_of (listed n (first_two m u)))) (M f (counts_of (listed n (last_two m u)))) (M f (counts_of (listed n (outer_two m u)))) (M f (counts_of best)) in E.
    rewrite (M_ext f _ _ (fun k => listed_ok n _ k M1)), (M_ext f _ _ (fun k => listed_ok n _ k M2)), (M_ext f _ _ (fun k => listed_ok n _ k M3)) in E.
    destruct (M f (first_two m u)) as [x1|] eqn:X1; [|discriminate]. destruct (M f (last_two m u)) as [x2|] eqn:X2; [|discriminate].
    destruct (M f (outer_two m u)) as [x3|] eqn:X3; [|discriminate]. destruct (M f (counts_of best)) as [x4|] eqn:X4; [|discriminate].
    cbn [bind] in E. injection E as <-. destruct (C _ x4 (counts_of_matrix n best LB) DB X4) as [_ B]. apply B in DG.
    pose proof (T u (counts_of_matrix _ t LT) D1 D2 D3 x1 x2 x3 X1 X2 X3). destruct s; try discriminate; unfold sign_is in Q; lra.
  - repeat (apply Forall2_cons; [apply F|]). apply Forall2_nil.
Qed.

(* Flatness: two points where labelings are independent have different values. Shares a / n and b / n of positives *)
Definition share_cells (a b n : positive) (t : list fraction) (k : nat) : outcome :=
  let p := Zpos a in let q := Zpos b in let m := Zpos n in
  Known (match k with
         | 0%nat => number ((m - p) * (m - q)) (n * n) | 1%nat => number ((m - p) * q) (n * n)
         | 2%nat => number (p * (m - q)) (n * n) | 3%nat => number (p * q) (n * n) | _ => zero end).
Definition share (a n : positive) : R := IZR (Zpos a) / IZR (Zpos n).
Lemma share_cells_ok : forall v k a b n, describes v k (shares (share a n) (share b n) 0) (share_cells a b n).
Proof.
  intros v k a b n t v' w T G F i. unfold share_cells. cbn [means]. assert (0 < IZR (Zpos n)) by apply IZR_pos.
  destruct i as [|[|[|[|i]]]]; cbn [shares];
    try (match goal with |- context [number ?c ?d] => destruct (number_ok v' c d) as [A B]; rewrite A end; split; auto; f_equal;
         rewrite Pos2Z.inj_mul, !mult_IZR, ?minus_IZR; unfold share; field; lra).
  destruct (zero_ok v') as [A B]. rewrite A. auto.
Qed.
Definition refute_flat f (a b n a' b' n' : positive) : bool :=
  (a <? n)%positive <&> (b <? n)%positive <&> (a' <? n')%positive <&> (b' <? n')%positive <&>
  decided_at (two (share_cells a b n) (share_cells a' b' n') f f) (known_to differ).
Theorem flat_refuted : forall a b n a' b' n' order f, refute_flat f a b n a' b' n' = true -> ~ flat order f.
Proof.
  intros a b n a' b' n' order f H [c C]. unfold refute_flat in H. apply both_true in H as [H V]. apply both_true in H as [H L4].
  apply both_true in H as [H L3]. apply both_true in H as [L1 L2].
  assert (S : forall x m, (x <? m)%positive = true -> 0 < share x m < 1).
  { intros x m L. apply Pos.ltb_lt in L. assert (IZR (Zpos x) < IZR (Zpos m)) by (apply IZR_lt; exact L). pose proof (IZR_pos x). pose proof (IZR_pos m).
    unfold share. split; [apply Rdiv_lt_0_compat; auto|]. apply Rmult_lt_reg_r with (IZR (Zpos m)); auto. field_simplify; lra. }
  assert (K : forall p q, 0 < p < 1 -> 0 < q < 1 -> value (shares p q 0) f = Some c).
  { intros p q P Q. destruct (C p q P Q) as (r & F & R_ & E & Z & _). rewrite E by (rewrite Rabs_R0; auto). congruence. }
  apply (decided_at_ok _ _ (are_so differ) [shares (share a n) (share b n) 0; shares (share a' n') (share b' n') 0]) in V; [| apply known_to_ok |].
  - destruct V as (x & y & s & E & O & Q). injection E as E1 E2. rewrite K in E1, E2 by auto. injection E1 as <-. injection E2 as <-.
    destruct s; try discriminate; unfold sign_is in Q; lra.
  - apply Forall2_cons; [apply share_cells_ok|]. apply Forall2_cons; [apply share_cells_ok | apply Forall2_nil].
Qed.
