(* Class decomposability (Opitz, Property III) for two classes. Let P(C) be C with 1 in place of the other right
   predictions: the arithmetic mean needs M(C) = M(P0) + M(P1) - M(P01), the geometric mean M(C) * M(P01) = M(P0) * M(P1)
   where values are positive. Scores are then functions of values of the measure itself. *)
From Coq Require Import Reals ZArith QArith Qreals List Bool Lra Lia PeanoNat.
From Goodmeasure Require Import Tree Polynomials Signs Fractions Reading Cases Statements Supports Comparing Definedness Averages.
Import ListNotations.
Local Open Scope R_scope.

Definition anchored (l : list nat) (z : counts) : counts := fun k => if some (Nat.eqb k) l then 1%nat else z k.
Definition anchored_cells (l : list nat) (s : list bool) (t : list fraction) (k : nat) : outcome :=
  Known (if some (Nat.eqb k) l then number 1 1 else supported s t k).
Lemma anchored_ok : forall l z, matrix 4 z -> describes (numbers_of z) 4 (fun k => INR (anchored l z k)) (anchored_cells l (pattern 4 z)).
Proof.
  intros l z Z t v' w T G F k. unfold anchored, anchored_cells. destruct (some (Nat.eqb k) l).
  - destruct (number_ok v' 1 1) as [A B]. cbn [means]. rewrite A. split; auto. f_equal. simpl. field.
  - destruct (supported_ok 4 z _ t v' Z ltac:(lia) ltac:(auto) F k) as [A B]. cbn [means]. rewrite A. auto.
Qed.
Definition four_anchors (f : formulas) (s : list bool) : list reading :=
  [Reading (on_support s) f; Reading (anchored_cells [3]%nat s) f; Reading (anchored_cells [0]%nat s) f; Reading (anchored_cells [0; 3]%nat s) f].
Definition anchors_described : forall f z, matrix 4 z -> Forall2 (fun r c => describes (numbers_of z) 4 c (cells_from r))
  (four_anchors f (pattern 4 z)) [fun k => INR (z k); fun k => INR (anchored [3]%nat z k); fun k => INR (anchored [0]%nat z k); fun k => INR (anchored [0; 3]%nat z k)].
Proof.
  intros f z Z. apply Forall2_cons; [apply on_support_ok; auto|]. repeat (apply Forall2_cons; [apply anchored_ok; auto|]). apply Forall2_nil.
Qed.
Definition unknown_in (rs : list outcome) : list poly := flat_map (fun r => match r with Unknown l => l | _ => [] end) rs.
Definition values_at (f : formulas) (z : counts) : list (option R) :=
  [M f z; M f (anchored [3]%nat z); M f (anchored [0]%nat z); M f (anchored [0; 3]%nat z)].
Theorem anchors_decided : forall e f z D post, decides D post -> matrix 4 z ->
  decided e counts_are_whole 4 (four_anchors f (pattern 4 z)) D = true -> post (values_at f z).
Proof.
  intros e f z D post S Z H.
  apply (settled_ok (four_anchors f (pattern 4 z)) D (breadth e) post S (numbers_of z) _ 4 (anchors_described f z Z)) with (u := numbers_of z) in H;
    auto using variables_length, numbers_good.
  apply variables_fit. apply (numbers_good z).
Qed.
Lemma cross_0 : forall z k, matrix 4 z -> cross 2 0 z k = if (k =? 3)%nat then 0%nat else z k.
Proof. intros z [|[|[|[|k]]]] Z; auto. rewrite Z by lia. unfold cross. rewrite (Z (S (S (S (S k))))) by lia. destruct (_ || _); auto. Qed.
Lemma cross_1 : forall z k, matrix 4 z -> cross 2 1 z k = if (k =? 0)%nat then 0%nat else z k.
Proof. intros z [|[|[|[|k]]]] Z; auto. unfold cross. rewrite (Z (S (S (S (S k))))) by lia. destruct (_ || _); auto. Qed.
Lemma anchored_cross : forall l z, matrix 4 z -> (forall k, anchored (3 :: l)%nat (cross 2 0 z) k = anchored (3 :: l)%nat z k) /\
  (forall k, anchored (0 :: l)%nat (cross 2 1 z) k = anchored (0 :: l)%nat z k).
Proof.
  intros l z Z. split; intros k; unfold anchored; cbn [some]; [rewrite cross_0 by auto | rewrite cross_1 by auto].
  - destruct (Nat.eqb_spec k 3); auto.
  - destruct (Nat.eqb_spec k 0); auto.
Qed.
Lemma anchored_3_0 : forall z k, anchored [0; 3]%nat z k = anchored [3; 0]%nat z k.
Proof. intros. unfold anchored. cbn [some]. destruct (k =? 0)%nat, (k =? 3)%nat; auto. Qed.
Definition at_anchor (l : list nat) (f : formulas) (z : counts) : R := or_zero (M f (anchored l z)).
Lemma at_anchor_ext : forall l f y z, (forall k, y k = z k) -> at_anchor l f y = at_anchor l f z.
Proof. intros l f y z H. unfold at_anchor. rewrite (M_ext f _ (anchored l z)); auto. intros k. unfold anchored. rewrite H. auto. Qed.
Lemma at_anchor_0 : forall l f z, matrix 4 z -> at_anchor (3 :: l)%nat f (cross 2 0 z) = at_anchor (3 :: l)%nat f z.
Proof. intros l f z Z. unfold at_anchor. rewrite (M_ext f _ _ (proj1 (anchored_cross l z Z))). auto. Qed.
Lemma at_anchor_1 : forall f z, matrix 4 z -> at_anchor [0]%nat f (cross 2 1 z) = at_anchor [0]%nat f z.
Proof. intros f z Z. unfold at_anchor. rewrite (M_ext f _ _ (proj2 (anchored_cross [] z Z))). auto. Qed.

(* The arithmetic mean *)
Definition sum_of_anchors : expr := Sub (Add (Ref 0) (Ref 3)) (Add (Ref 1) (Ref 2)).
Definition all_known (rs : list outcome) : bool := every (fun r => match r with Known _ => true | _ => false end) rs.
Definition adds_up : decision := fun c rs =>
  match rs with
  | Nothing :: _ => Yes
  | _ => if all_known rs then equation sum_of_anchors c rs else match unknown_in rs with [] => No | l => Ask l end
  end.
Definition added_up (xs : list (option R)) : Prop :=
  forall x, nth 0 xs None = Some x -> exists a b c, xs = [Some x; Some a; Some b; Some c] /\ x = a + b - c.
Lemma adds_up_ok : forall n, n = 4%nat -> decides (fun c rs => if (length rs =? n)%nat then adds_up c rs else No) added_up.
Proof.
  intros n N w v rs xs G H D x X. destruct (Nat.eqb_spec (length rs) n) as [L|]; [|discriminate]. subst n.
  destruct rs as [|r0 [|r1 [|r2 [|r3 [|]]]]]; try discriminate. pose proof (equation_ok sum_of_anchors w v _ xs G H) as E.
  inversion H as [|? x0 ? xs0 A0 H0]; subst. inversion H0 as [|? x1 ? xs1 A1 H1]; subst. inversion H1 as [|? x2 ? xs2 A2 H2]; subst.
  inversion H2 as [|? x3 ? xs3 A3 H3]; subst. inversion H3; subst. cbn [nth] in X. subst x0. unfold adds_up in D.
  destruct r0; [| discriminate A0 |]; (destruct (all_known _) eqn:K; [|destruct (unknown_in _); discriminate]).
  - destruct r1; try discriminate K; destruct r2; try discriminate K; destruct r3; try discriminate K.
    destruct A1 as [-> _], A2 as [-> _], A3 as [-> _]. specialize (E D). unfold solved, sum_of_anchors in E. cbn [eval bind nth] in E.
    specialize (E _ eq_refl). eexists _, _, _. split; [reflexivity | lra].
  - discriminate K.
Qed.
Definition four_adds_up : decision := fun c rs => if (length rs =? 4)%nat then adds_up c rs else No.
Definition check_arithmetic e (D : domain) f : bool :=
  every (fun s => negb (D 2%nat s) <|> decided e counts_are_whole 4 (four_anchors f s) four_adds_up) (supports 4).
Theorem arithmetic_proved : forall e D f, check_arithmetic e D f = true -> opitz_class_decomposable 2 D f.
Proof.
  intros e D f H. exists 1%Z, (fun i z => 2 * match i with 0%nat => at_anchor [3]%nat f z - at_anchor [3; 0]%nat f z | _ => at_anchor [0]%nat f z end).
  split. { intros i z y E. destruct i; rewrite ?(at_anchor_ext _ f z y E); auto. }
  intros z x Z HD X. unfold check_arithmetic in H. rewrite every_forall in H. specialize (H _ (in_pattern 4 z)). cbv beta in H. change (2 * 2)%nat with 4%nat in HD.
  rewrite HD in H. cbn [negb] in H. pose proof (anchors_decided e f z _ _ (adds_up_ok 4 eq_refl) Z H) as A. unfold added_up, values_at in A.
  cbn [nth] in A. destruct (A x X) as (a & b & c & E & S). injection E as _ E1 E2 E3.
  unfold is_mean. split; [discriminate|]. right. split; [lia|]. unfold classes. cbn [seq map length sum fold_right powerRZ Pos.to_nat Pos.iter_op pow].
  rewrite !at_anchor_0, at_anchor_1 by auto. unfold at_anchor. rewrite (M_ext f (anchored [3; 0]%nat z) (anchored [0; 3]%nat z)) by (intros; symmetry; apply anchored_3_0).
  rewrite E1, E2, E3. cbn [or_zero]. rewrite S. simpl (INR 2). change (Pos.to_nat 1) with 1%nat. simpl. ring.
Qed.

(* The geometric mean *)
Definition product_of_anchors : expr := Sub (Mul (Ref 0) (Ref 3)) (Mul (Ref 1) (Ref 2)).
Definition sign_in c (r : outcome) : signs := match r with Known x => sign fuel c (above x) | _ => [] end.
Definition is_positive c (r : outcome) : bool := match sign_in c r with [Gt] => true | _ => false end.
Definition is_null c (r : outcome) : bool := match sign_in c r with [Eq] => true | _ => false end.
Definition multiplies_up : decision := fun c rs =>
  match rs with
  | Nothing :: _ => Yes
  | [r0; r1; r2; r3] =>
      if is_null c r0 <&> (is_null c r1 <|> is_null c r2) then Yes else
      if is_positive c r0 <&> is_positive c r1 <&> is_positive c r2 <&> is_positive c r3 then equation product_of_anchors c rs
      else match unknown_in rs with [] => No | l => Ask l end
  | _ => No
  end.
Definition multiplied_up (xs : list (option R)) : Prop :=
  forall x, nth 0 xs None = Some x ->
  (x = 0 /\ (nth 1 xs None = Some 0 \/ nth 2 xs None = Some 0)) \/
  exists a b c, xs = [Some x; Some a; Some b; Some c] /\ 0 < x /\ 0 < a /\ 0 < b /\ 0 < c /\ x * c = a * b.
Lemma is_positive_ok : forall w v r x, good w v -> means v r x -> is_positive w r = true -> exists u, x = Some u /\ 0 < u.
Proof.
  intros w v r x G A H. unfold is_positive, sign_in in H. destruct r as [p| |]; try discriminate. destruct A as [-> _].
  pose proof (fraction_sign w v G fuel p) as (s & I & S). destruct (sign fuel w (above p)) as [|[| |] [|]]; try discriminate.
  destruct I as [<-|[]]. eauto.
Qed.
Lemma is_null_ok : forall w v r x, good w v -> means v r x -> is_null w r = true -> x = Some 0.
Proof.
  intros w v r x G A H. unfold is_null, sign_in in H. destruct r as [p| |]; try discriminate. destruct A as [-> _].
  pose proof (fraction_sign w v G fuel p) as (s & I & S). destruct (sign fuel w (above p)) as [|[| |] [|]]; try discriminate.
  destruct I as [<-|[]]. unfold sign_is in S. congruence.
Qed.
Lemma multiplies_up_ok : decides multiplies_up multiplied_up.
Proof.
  intros w v rs xs G H D x X. pose proof (equation_ok product_of_anchors w v rs xs G H) as E.
  assert (N : forall r0 l, rs = r0 :: l -> r0 <> Nothing).
  { intros r0 l -> ->. inversion H as [|? y ? ys A0 H0]; subst. cbn [nth means] in *. congruence. }
  destruct rs as [|r0 l]; [discriminate|]. specialize (N r0 l eq_refl).
  destruct l as [|r1 [|r2 [|r3 [|]]]]; try (destruct r0; [discriminate D | congruence | discriminate D]).
  inversion H as [|? x0 ? xs0 A0 H0]; subst. inversion H0 as [|? x1 ? xs1 A1 H1]; subst. inversion H1 as [|? x2 ? xs2 A2 H2]; subst.
  inversion H2 as [|? x3 ? xs3 A3 H3]; subst. inversion H3; subst. cbn [nth] in *. subst x0. unfold multiplies_up in D.
  assert (D' : (if is_null w r0 <&> (is_null w r1 <|> is_null w r2) then Yes else
      if is_positive w r0 <&> is_positive w r1 <&> is_positive w r2 <&> is_positive w r3 then equation product_of_anchors w [r0; r1; r2; r3]
      else match unknown_in [r0; r1; r2; r3] with [] => No | l => Ask l end) = Yes) by (destruct r0; auto; congruence). clear D.
  destruct (is_null w r0 <&> (is_null w r1 <|> is_null w r2)) eqn:K.
  - apply both_true in K as [K0 K]. pose proof (is_null_ok w v r0 _ G A0 K0) as Q. injection Q as ->. left. split; auto.
    apply one_true in K as [K|K]; [left; exact (is_null_ok w v r1 _ G A1 K) | right; exact (is_null_ok w v r2 _ G A2 K)].
  - destruct (is_positive w r0 <&> is_positive w r1 <&> is_positive w r2 <&> is_positive w r3) eqn:P; [|destruct (unknown_in _); discriminate].
    apply both_true in P as [P P3]. apply both_true in P as [P P2]. apply both_true in P as [P0 P1].
    destruct (is_positive_ok w v r0 _ G A0 P0) as (u0 & Q0 & L0). injection Q0 as <-. destruct (is_positive_ok w v r1 _ G A1 P1) as (u1 & -> & L1).
    destruct (is_positive_ok w v r2 _ G A2 P2) as (u2 & -> & L2). destruct (is_positive_ok w v r3 _ G A3 P3) as (u3 & -> & L3).
    right. exists u1, u2, u3. repeat split; auto. specialize (E D'). unfold solved, product_of_anchors in E. cbn [eval bind nth] in E.
    specialize (E _ eq_refl). lra.
Qed.
Definition check_geometric e (D : domain) f : bool :=
  every (fun s => negb (D 2%nat s) <|> decided e counts_are_whole 4 (four_anchors f s) multiplies_up) (supports 4).
Definition over_anchor (a b : R) : R := if Rlt_dec 0 b then (if Rlt_dec 0 a then (a / b) * (a / b) else 0) else 0.
Theorem geometric_proved : forall e D f, check_geometric e D f = true -> opitz_class_decomposable 2 D f.
Proof.
  intros e D f H.
  exists 0%Z, (fun i z => match i with 0%nat => over_anchor (at_anchor [3]%nat f z) (at_anchor [3; 0]%nat f z) | _ => at_anchor [0]%nat f z * at_anchor [0]%nat f z end).
  split. { intros i z y E. destruct i; rewrite ?(at_anchor_ext _ f z y E); auto. }
  intros z x Z HD X. unfold check_geometric in H. rewrite every_forall in H. specialize (H _ (in_pattern 4 z)). cbv beta in H. change (2 * 2)%nat with 4%nat in HD.
  rewrite HD in H. cbn [negb] in H. pose proof (anchors_decided e f z _ _ multiplies_up_ok Z H) as A. unfold multiplied_up, values_at in A.
  cbn [nth] in A. specialize (A x X).
  assert (P : forall a b, 0 <= over_anchor a b).
  { intros a b. unfold over_anchor. destruct (Rlt_dec 0 b), (Rlt_dec 0 a); try lra. apply Rle_0_sqr. }
  unfold is_mean, classes. cbn [seq map length fold_right]. rewrite !at_anchor_0, at_anchor_1 by auto.
  assert (EQ : at_anchor [3; 0]%nat f z = at_anchor [0; 3]%nat f z).
  { unfold at_anchor. rewrite (M_ext f (anchored [3; 0]%nat z) (anchored [0; 3]%nat z)) by (intros; symmetry; apply anchored_3_0). auto. }
  rewrite EQ. split; [|split].
  - intros s [<-|[<-|[]]]; [apply P | apply Rle_0_sqr].
  - destruct A as [[-> _]|(a & b & c & _ & L & _)]; lra.
  - unfold at_anchor. destruct A as [[-> [A|A]]|(a & b & c & E & L & LA & LB & LC & K)].
    + rewrite A. cbn [or_zero]. unfold over_anchor. destruct (Rlt_dec 0 (or_zero _)), (Rlt_dec 0 0); try lra; simpl; ring.
    + rewrite A. cbn [or_zero]. simpl. ring.
    + injection E as _ E1 E2 E3. rewrite E1, E2, E3. cbn [or_zero]. unfold over_anchor.
      destruct (Rlt_dec 0 c), (Rlt_dec 0 a); try lra. simpl. replace x with (a * b / c) by (apply Rmult_eq_reg_r with c; [field_simplify; lra | lra]).
      field. lra.
Qed.
