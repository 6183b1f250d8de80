(* Where labelings are independent: the measure as a function of t = p_AB - p_A * p_B (Goesgens et al., Definition 13).
   If for given class sizes the measure is c plus a multiple of the determinant, which is t, all derivatives beyond the
   first vanish. *)
From Coq Require Import Reals Ranalysis5 ZArith QArith Qreals List Bool Lra Lia PeanoNat.
From Goodmeasure Require Import Tree Polynomials Signs Fractions Reading Cases Statements Supports Comparing Definedness Averages.
Import ListNotations.
Local Open Scope R_scope.

Definition full : list bool := [true; true; true; true].
Definition check_flat e (c : expr) f : bool :=
  is_constant c <&>
  settled (five_readings f c full) (equation proportional) (breadth e) (depth e) none_is_whole (variables 5) <&>
  settled (one_reading (on_support full) f) (state true) (breadth e) (depth e) none_is_whole (variables 4).

Definition cells_of (w x y z : R) (k : nat) : R :=
  match k with 0%nat => w | 1%nat => x | 2%nat => y | 3%nat => z | _ => 0 end.
Lemma full_ok : forall v n t v' k, (4 <= n)%nat -> length t = n -> fits v t v' -> (k < 4)%nat ->
  v k = fraction_value v' (supported full t k) /\ sound v' (supported full t k).
Proof.
  intros v n t v' k N L F K. unfold supported, full. destruct k as [|[|[|[|k]]]]; try lia; cbn [has nth]; apply F; lia.
Qed.
Lemma full_described : forall v n, (4 <= n)%nat -> describes v n (cells_of (v 0%nat) (v 1%nat) (v 2%nat) (v 3%nat)) (on_support full).
Proof.
  intros v n N t v' w T G F k. unfold on_support. destruct (Nat.ltb_spec k 4).
  - destruct (full_ok v n t v' k N T F H) as [A B]. cbn [means]. rewrite <- A. split; auto. destruct k as [|[|[|[|k]]]]; auto; lia.
  - unfold supported. rewrite has_short by (simpl; lia). destruct (zero_ok v') as [A B]. cbn [means]. rewrite A. split; auto.
    destruct k as [|[|[|[|k]]]]; auto; lia.
Qed.
Lemma full_more_described : forall v l, every (fun k => (k <? 4)%nat) l = true ->
  describes v 5 (fun k => cells_of (v 0%nat) (v 1%nat) (v 2%nat) (v 3%nat) k + if some (Nat.eqb k) l then v 4%nat else 0) (more_in l full).
Proof.
  intros v l L t v' w T G F k. pose proof (full_described v 5 ltac:(lia) t v' w T G F k) as D. unfold on_support in D.
  destruct D as [D S]. apply (f_equal (fun x => match x with Some u => u | None => 0 end)) in D. cbn iota in D. unfold more_in.
  destruct (some (Nat.eqb k) l).
  - apply known_ok. intros y Y. destruct (F 4%nat ltac:(lia)) as [C E]. destruct (add_ok w v' G _ _ y S E Y) as [A B].
    rewrite A, D, C. auto.
  - cbn [means]. rewrite D. split; auto. f_equal. ring.
Qed.
Definition point (w x y z s : R) (k : nat) : R := match k with 4%nat => s | _ => if (k <? 4)%nat then cells_of w x y z k else 1 end.
Lemma point_good : forall w x y z s, 0 < w -> 0 < x -> 0 < y -> 0 < z -> 0 < s -> good none_is_whole (point w x y z s).
Proof.
  intros w x y z s W X Y Z S. repeat split; try discriminate; try (intros; contradiction).
  intros [|[|[|[|[|k]]]]]; simpl; lra.
Qed.
Lemma flat_defined : forall e c f w x y z, check_flat e c f = true -> 0 < w -> 0 < x -> 0 < y -> 0 < z ->
  value (cells_of w x y z) f <> None.
Proof.
  intros e c f w x y z H W X Y Z. unfold check_flat in H. apply both_true in H as [_ H].
  pose proof (point_good w x y z 1 W X Y Z Rlt_0_1) as G.
  exact (state_decided e none_is_whole 4 (on_support full) f (point w x y z 1) (cells_of w x y z) true G (full_described (point w x y z 1) 4 (le_n _)) H).
Qed.
Lemma flat_proportional : forall e c f w x y z s a b, check_flat e c f = true -> 0 < w -> 0 < x -> 0 < y -> 0 < z -> 0 < s ->
  value (cells_of (w + s) x y (z + s)) f = Some a -> value (cells_of w (x + s) (y + s) z) f = Some b ->
  (a - constant c) * (w * z - (x + s) * (y + s)) = (b - constant c) * ((w + s) * (z + s) - x * y).
Proof.
  intros e c f w x y z s a b H W X Y Z S A B. unfold check_flat in H. apply both_true in H as [H _]. apply both_true in H as [I H].
  pose proof (point_good w x y z s W X Y Z S) as G. set (v := point w x y z s) in *.
  apply (settled_ok (five_readings f c full) (equation proportional) (breadth e) (solved proportional) (equation_ok proportional) v
    [fun k => cells_of w x y z k + if some (Nat.eqb k) [0; 3]%nat then s else 0; fun k => cells_of w x y z k + if some (Nat.eqb k) [1; 2]%nat then s else 0;
     fun k => cells_of w x y z k + if some (Nat.eqb k) [0; 3]%nat then s else 0; fun k => cells_of w x y z k + if some (Nat.eqb k) [1; 2]%nat then s else 0;
     fun _ => 0] 5) with (u := v) in H; auto using variables_length.
  - unfold solved in H. cbn [five_readings map combine formula fst snd] in H.
    assert (EA : value (fun k => cells_of w x y z k + if some (Nat.eqb k) [0; 3]%nat then s else 0) f = Some a).
    { rewrite <- A. apply value_ext. intros [|[|[|[|k]]]]; simpl; ring. }
    assert (EB : value (fun k => cells_of w x y z k + if some (Nat.eqb k) [1; 2]%nat then s else 0) f = Some b).
    { rewrite <- B. apply value_ext. intros [|[|[|[|k]]]]; simpl; ring. }
    rewrite EA, EB, is_constant_ok in H by auto. specialize (H _ eq_refl). cbn in H. lra.
  - pose proof (full_more_described v [0; 3]%nat eq_refl) as D1. pose proof (full_more_described v [1; 2]%nat eq_refl) as D2.
    unfold five_readings. apply Forall2_cons; [exact D1|]. apply Forall2_cons; [exact D2|]. apply Forall2_cons; [exact D1|].
    apply Forall2_cons; [exact D2|]. apply Forall2_cons; [apply nowhere_ok | apply Forall2_nil].
  - apply variables_fit. apply G.
Qed.

Lemma line_derivative : forall a b r F t, (forall u, Rabs u < r -> F u = a + b * u) -> Rabs t < r -> derivable_pt_lim F t b.
Proof.
  intros a b r F t L T eps E. apply Rabs_def2 in T as [T1 T2].
  assert (P : 0 < Rmin (r - t) (t + r)) by (apply Rmin_pos; lra). exists (mkposreal _ P). intros h H0 H1. simpl in H1.
  assert (Rabs (t + h) < r).
  { apply Rabs_def2 in H1 as [A B]. apply Rabs_def1; [pose proof (Rmin_l (r - t) (t + r)); lra | pose proof (Rmin_r (r - t) (t + r)); lra]. }
  rewrite !L by (auto; apply Rabs_def1; lra). replace ((a + b * (t + h) - (a + b * t)) / h - b) with 0 by (field; auto). rewrite Rabs_R0. auto.
Qed.
Lemma constant_derivative : forall n b r, derivative (S n) r (fun _ => b) (fun _ => 0).
Proof.
  induction n as [|n IH]; intros b r; cbn [derivative]; exists (fun _ => 0); (split; [intros; apply derivable_pt_lim_const|]); auto. apply (IH 0 r).
Qed.
Theorem flat_proved : forall order e c f, check_flat e c f = true -> flat order f.
Proof.
  intros order e c f H. exists (constant c). intros p q P Q.
  set (A := (1 - p) * (1 - q)). set (B := (1 - p) * q). set (C := p * (1 - q)). set (D := p * q).
  assert (PA : 0 < A) by (apply Rmult_lt_0_compat; lra). assert (PB : 0 < B) by (apply Rmult_lt_0_compat; lra).
  assert (PC : 0 < C) by (apply Rmult_lt_0_compat; lra). assert (PD : 0 < D) by (apply Rmult_lt_0_compat; lra).
  set (r := Rmin (Rmin A B) (Rmin C D)). assert (PR : 0 < r) by (repeat apply Rmin_pos; auto).
  assert (RA : r <= A /\ r <= B /\ r <= C /\ r <= D).
  { unfold r. pose proof (Rmin_l (Rmin A B) (Rmin C D)). pose proof (Rmin_r (Rmin A B) (Rmin C D)). pose proof (Rmin_l A B).
    pose proof (Rmin_r A B). pose proof (Rmin_l C D). pose proof (Rmin_r C D). lra. }
  set (F := fun t => or_zero (value (shares p q t) f)).
  assert (E : forall t, value (shares p q t) f = value (cells_of (A + t) (B - t) (C - t) (D + t)) f).
  { intros t. apply value_ext. intros [|[|[|[|k]]]]; reflexivity. }
  assert (DEF : forall t, Rabs t < r -> value (shares p q t) f = Some (F t)).
  { intros t T. apply Rabs_def2 in T. unfold F. rewrite E.
    pose proof (flat_defined e c f (A + t) (B - t) (C - t) (D + t) H ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as N.
    destruct (value _ f); [reflexivity | contradiction]. }
  assert (DET : forall t, (A + t) * (D + t) - (B - t) * (C - t) = t). { intros. unfold A, B, C, D. ring. }
  assert (LIN : forall t u, Rabs t < r -> Rabs u < r -> t < u -> (F u - constant c) * t = (F t - constant c) * u).
  { intros t u T U L. pose proof (DEF t T) as ET. pose proof (DEF u U) as EU. apply Rabs_def2 in T, U. rewrite E in ET, EU.
    pose proof (flat_proportional e c f (A + t) (B - u) (C - u) (D + t) (u - t) (F u) (F t) H ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as K.
    replace (B - u + (u - t)) with (B - t) in K by ring. replace (C - u + (u - t)) with (C - t) in K by ring.
    replace (A + t + (u - t)) with (A + u) in K by ring. replace (D + t + (u - t)) with (D + u) in K by ring.
    specialize (K EU ET). rewrite !DET in K. exact K. }
  set (t0 := r / 2). assert (T0 : Rabs t0 < r) by (unfold t0; rewrite Rabs_right; lra).
  assert (LINE : forall t, Rabs t < r -> F t = constant c + (F t0 - constant c) / t0 * t).
  { intros t T. assert (0 < t0) by (unfold t0; lra). destruct (Rtotal_order t t0) as [L|[L|L]].
    - pose proof (LIN t t0 T T0 L) as K. apply Rmult_eq_reg_l with t0; [|lra]. field_simplify; lra.
    - subst. field. lra.
    - pose proof (LIN t0 t T0 T L) as K. apply Rmult_eq_reg_l with t0; [|lra]. field_simplify; lra. }
  exists r, F. split; auto. split; auto. split.
  - rewrite LINE by (rewrite Rabs_R0; auto). ring.
  - intros n [N _]. exists (fun _ => 0). split; auto. destruct n as [|[|n]]; try lia. cbn [derivative].
    exists (fun _ => (F t0 - constant c) / t0). split; [intros t T; exact (line_derivative _ _ r F t LINE T)|].
    exact (constant_derivative n _ r).
Qed.
