(* Distances between labelings (Goesgens et al., Definition 5): the triangle inequality over the joint counts of three
   labelings, which are variables on each support. *)
From Coq Require Import Reals ZArith QArith Qreals List Bool Lra Lia PeanoNat.
From Goodmeasure Require Import Tree Polynomials Signs Fractions Reading Cases Statements Supports Comparing Definedness Averages.
Import ListNotations.
Local Open Scope R_scope.

(* A formula of the values that were read has one of some signs, or no value. *)
Definition judged (e : expr) (ok : comparison -> bool) : decision := fun c rs =>
  match read c (nowhere []) rs e with
  | Known x => let s := sign fuel c (above x) in
               if every ok s then Yes else if some ok s then Ask (unknown fuel c (above x)) else No
  | Nothing => Yes
  | Unknown about => Ask about
  end.
Definition judged_so (e : expr) (ok : comparison -> bool) (xs : list (option R)) : Prop :=
  forall x, eval (fun _ => 0) xs e = Some x -> exists c, ok c = true /\ sign_is c x.
Lemma judged_ok : forall e ok, decides (judged e ok) (judged_so e ok).
Proof.
  intros e ok w v rs xs G H D x X. unfold judged in D. pose proof (read_ok w (nowhere []) v (fun _ => 0) G) as R_.
  specialize (R_ ltac:(intros k; exact (nowhere_ok v 0 [] v w eq_refl G ltac:(intros i I; inversion I) k)) rs xs H e).
  destruct (read w (nowhere []) rs e) as [p| |]; try discriminate; simpl in R_; [|congruence].
  destruct R_ as [E P]. pose proof (fraction_sign w v G fuel p) as (s & I & S). exists s. cbv zeta in D.
  destruct (every ok (sign fuel w (above p))) eqn:K; [|destruct (some _ _); discriminate]. rewrite every_forall in K. split; auto. congruence.
Qed.

(* The cells of the matrix of two of the labelings: sums over the labels in the third *)
Definition places (m : nat) (at_ : nat -> nat -> nat -> nat) (c : nat) : list nat :=
  if (c <? m * m)%nat then map (fun k => at_ (c / m)%nat (c mod m)%nat k) (classes m) else [].
Definition place (m i j k : nat) : nat := ((i * m + j) * m + k)%nat.
Definition summed_cells (s : list bool) (t : list fraction) (l : list nat) : outcome :=
  fold_right (fun k r => both (Known (supported s t k)) r (fun x y => known (add x y))) (Known zero) l.
Definition summed_at (m : nat) at_ (s : list bool) (t : list fraction) (c : nat) : outcome := summed_cells s t (places m at_ c).
Definition sum_of (z : counts) (l : list nat) : nat := list_sum (map z l).
Lemma summed_cells_ok : forall n z v t v' w, matrix n z -> (n <= length t)%nat -> (forall k, (k < n)%nat -> v k = numbers_of z k) ->
  good w v' -> fits v t v' -> forall l, means v' (summed_cells (pattern n z) t l) (Some (INR (sum_of z l))).
Proof.
  intros n z v t v' w Z L E G F l. induction l as [|k l IH]; cbn [summed_cells fold_right].
  { destruct (zero_ok v') as [A B]. cbn [means]. rewrite A. auto. }
  fold (summed_cells (pattern n z) t l). destruct (supported_ok n z v t v' Z L E F k) as [A B].
  destruct (summed_cells (pattern n z) t l) as [q| |]; cbn [both]; [| discriminate IH | exact I].
  destruct IH as [C D]. apply known_ok. intros y Y. destruct (add_ok w v' G _ _ y B D Y) as [S T]. split; auto.
  rewrite S, <- A. injection C as <-. unfold sum_of. cbn [map list_sum fold_right]. rewrite plus_INR. auto.
Qed.
Definition pattern_at_places m at_ (s : list bool) : list bool := map (fun c => existsb (has s) (places m at_ c)) (seq 0 (m * m)).
Definition pair_counts m at_ (t : counts) : counts := fun c => sum_of t (places m at_ c).
Lemma pair_pattern : forall n m at_ t, matrix n t -> pattern (m * m) (pair_counts m at_ t) = pattern_at_places m at_ (pattern n t).
Proof.
  intros n m at_ t T. unfold pattern at 1, pattern_at_places. apply map_ext. intros c. unfold pair_counts, sum_of.
  induction (places m at_ c) as [|k l IH]; auto. cbn [map list_sum fold_right existsb]. fold (list_sum (map t l)). rewrite <- IH, has_pattern by auto.
  destruct (Nat.ltb_spec 0 (t k)), (Nat.ltb_spec 0 (list_sum (map t l))), (Nat.ltb_spec 0 (t k + list_sum (map t l))); auto; lia.
Qed.
Lemma first_two_ok : forall m t c, first_two m t c = pair_counts m (fun i j k => place m i j k) t c.
Proof. intros. unfold first_two, pair_counts, sum_of, places. destruct (c <? m * m)%nat; auto. rewrite map_map. reflexivity. Qed.
Lemma last_two_ok : forall m t c, last_two m t c = pair_counts m (fun i j k => place m k i j) t c.
Proof. intros. unfold last_two, pair_counts, sum_of, places. destruct (c <? m * m)%nat; auto. rewrite map_map. reflexivity. Qed.
Lemma outer_two_ok : forall m t c, outer_two m t c = pair_counts m (fun i j k => place m i k j) t c.
Proof. intros. unfold outer_two, pair_counts, sum_of, places. destruct (c <? m * m)%nat; auto. rewrite map_map. reflexivity. Qed.

Definition excess : expr := Sub (Sub (Add (Ref 0) (Ref 1)) (Ref 2)) (Ref 3).   (* x + y - w - c *)
Definition three_pairs m f (c : expr) (s : list bool) : list reading :=
  [Reading (summed_at m (fun i j k => place m i j k) s) f; Reading (summed_at m (fun i j k => place m k i j) s) f;
   Reading (summed_at m (fun i j k => place m i k j) s) f; Reading nowhere [c]].
Definition check_distance e m (D : domain) (c : expr) f : bool :=
  check_invariant e (m * m) (D m) (transposed m) f <&> check_extreme e (m * m) (D m) (diagonal m) true c f <&>
  every (fun s =>
    negb (D m (pattern_at_places m (fun i j k => place m i j k) s) <&> D m (pattern_at_places m (fun i j k => place m k i j) s) <&>
          D m (pattern_at_places m (fun i j k => place m i k j) s)) <|>
    decided e counts_are_whole (m * m * m) (three_pairs m f c s) (judged excess (fun s => match s with Gt => false | _ => true end)))
    (supports (m * m * m)).
Theorem distance_proved : forall e c m D f, check_distance e m D c f = true -> distance m D f.
Proof.
  intros e c m D f H. unfold check_distance in H. apply both_true in H as [H T]. apply both_true in H as [S X].
  split; [exact (symmetry_proved e m D f S)|]. exists (constant c). split.
  { intros z x Z DZ V. exact (check_extreme_ok e c _ _ _ true f X z x Z DZ V). }
  pose proof X as IC. unfold check_extreme in IC. apply both_true in IC as [IC _].
  intros t M1 D1 D2 D3 x y w X1 X2 X3. rewrite every_forall in T. specialize (T _ (in_pattern _ t)). cbv beta in T.
  rewrite (pattern_ext _ _ _ (first_two_ok m t)), (pair_pattern _ _ _ t M1) in D1.
  rewrite (pattern_ext _ _ _ (last_two_ok m t)), (pair_pattern _ _ _ t M1) in D2.
  rewrite (pattern_ext _ _ _ (outer_two_ok m t)), (pair_pattern _ _ _ t M1) in D3.
  rewrite D1, D2, D3 in T. cbn [negb] in T.
  rewrite (M_ext f _ _ (first_two_ok m t)) in X1. rewrite (M_ext f _ _ (last_two_ok m t)) in X2. rewrite (M_ext f _ _ (outer_two_ok m t)) in X3.
  apply (settled_ok (three_pairs m f c (pattern (m * m * m) t)) _ (breadth e) _ (judged_ok _ _) (numbers_of t)
    [fun k => INR (pair_counts m (fun i j k => place m i j k) t k); fun k => INR (pair_counts m (fun i j k => place m k i j) t k);
     fun k => INR (pair_counts m (fun i j k => place m i k j) t k); fun _ => 0] (m * m * m)) with (u := numbers_of t) in T;
    auto using variables_length, numbers_good.
  - unfold judged_so, excess in T. cbn [three_pairs map combine formula fst snd] in T. unfold M in X1, X2, X3. rewrite X1, X2, X3, is_constant_ok in T by auto.
    cbn [eval bind nth] in T. destruct (T _ eq_refl) as (s & O & Q). destruct s; try discriminate; unfold sign_is in Q; lra.
  - assert (A : forall at_, describes (numbers_of t) (m * m * m) (fun k => INR (pair_counts m at_ t k)) (summed_at m at_ (pattern (m * m * m) t))).
    { intros at_ u v' c0 L G F k. unfold summed_at, pair_counts. eapply summed_cells_ok; eauto. lia. }
    repeat (apply Forall2_cons; [apply A|]). apply Forall2_cons; [apply nowhere_ok | apply Forall2_nil].
  - apply variables_fit. apply (numbers_good t).
Qed.
