(* Supports: which cells of a matrix are positive. On each one, the counts are positive variables. *)
From Coq Require Import Reals ZArith QArith Qreals List Bool Lra Lia PeanoNat.
From Goodmeasure Require Import Tree Polynomials Signs Fractions Reading Cases Statements.
Import ListNotations.
Local Open Scope R_scope.

Fixpoint supports (n : nat) : list (list bool) :=
  match n with O => [[]] | S n' => map (cons false) (supports n') ++ map (cons true) (supports n') end.
Lemma in_supports : forall s, In s (supports (length s)).
Proof. induction s as [|[] s]; simpl; auto; apply in_or_app; [right | left]; apply in_map; auto. Qed.
Lemma pattern_length : forall n z, length (pattern n z) = n.
Proof. intros. unfold pattern. rewrite map_length, seq_length. reflexivity. Qed.
Lemma in_pattern : forall n z, In (pattern n z) (supports n).
Proof. intros. rewrite <- (pattern_length n z) at 2. apply in_supports. Qed.
Lemma nth_table : forall (f : nat -> bool) n k, nth k (map f (seq 0 n)) false = (k <? n)%nat <&> f k.
Proof.
  intros. destruct (Nat.ltb_spec k n); simpl.
  - rewrite nth_indep with (d' := f 0%nat) by (rewrite map_length, seq_length; auto). rewrite map_nth, seq_nth; auto.
  - apply nth_overflow. rewrite map_length, seq_length. auto.
Qed.
Lemma has_pattern : forall n z k, matrix n z -> has (pattern n z) k = (0 <? z k)%nat.
Proof. intros n z k H. unfold has, pattern. rewrite nth_table. destruct (Nat.ltb_spec k n); auto. rewrite H; auto. Qed.
Lemma has_short : forall s k, (length s <= k)%nat -> has s k = false.
Proof. intros. apply nth_overflow. auto. Qed.

(* Positive numbers: a cell that is 0 has no variable of its own; any positive number will do. *)
Definition numbers_of (z : counts) (k : nat) : R := if (0 <? z k)%nat then INR (z k) else 1.
Definition counts_are_whole : context := Context (fun _ => true) [].
Definition variable_fraction (k : nat) : fraction := Fraction one 1 [(var k, 1%Q)].
Definition variables (n : nat) : list fraction := map variable_fraction (seq 0 n).
Lemma numbers_good : forall z, good counts_are_whole (numbers_of z).
Proof.
  intros z. repeat split; try (intros; contradiction).
  - intros k. unfold numbers_of. destruct (Nat.ltb_spec 0 (z k)); [apply (lt_INR 0); auto | lra].
  - intros k _. unfold numbers_of. destruct (Nat.ltb_spec 0 (z k)).
    + exists (pred (z k)). f_equal. lia.
    + exists O. reflexivity.
Qed.
Lemma variable_fraction_ok : forall v k, (forall k, 0 < v k) -> v k = fraction_value v (variable_fraction k) /\ sound v (variable_fraction k).
Proof.
  intros v k V. split.
  - unfold fraction_value, variable_fraction; cbn [above below factors powers_value].
    rewrite pval_one, pval_var, one_exponent, Rpower_1 by auto. field.
  - constructor; [|constructor]. cbn [fst]. rewrite pval_var. auto.
Qed.
Lemma variables_length : forall n, length (variables n) = n.
Proof. intros. unfold variables. rewrite map_length, seq_length. auto. Qed.
Lemma variables_fit : forall v n, (forall k, 0 < v k) -> fits v (variables n) v.
Proof.
  intros v n V k K. rewrite variables_length in K. unfold variables.
  rewrite nth_indep with (d' := variable_fraction 0) by (rewrite map_length, seq_length; auto).
  rewrite map_nth, seq_nth by auto. apply variable_fraction_ok; auto.
Qed.

(* Cells of a matrix with this support *)
Definition supported (s : list bool) (t : list fraction) (k : nat) : fraction := if has s k then nth k t zero else zero.
Definition on_support (s : list bool) (t : list fraction) (k : nat) : outcome := Known (supported s t k).
Lemma supported_ok : forall n z v t v', matrix n z -> (n <= length t)%nat -> (forall k, (k < n)%nat -> v k = numbers_of z k) ->
  fits v t v' -> forall k, INR (z k) = fraction_value v' (supported (pattern n z) t k) /\ sound v' (supported (pattern n z) t k).
Proof.
  intros n z v t v' Z L E F k. unfold supported. rewrite has_pattern by auto. destruct (Nat.ltb_spec 0 (z k)).
  - destruct (Nat.ltb_spec k n); [|rewrite Z in H; auto; lia]. destruct (F k) as [A B]; [lia|]. split; auto.
    rewrite <- A, E by auto. unfold numbers_of. destruct (Nat.ltb_spec 0 (z k)); auto; lia.
  - destruct (zero_ok v') as [A B]. rewrite A. split; auto. replace (z k) with 0%nat by lia. reflexivity.
Qed.
Lemma on_support_ok : forall n N z v, matrix n z -> (n <= N)%nat -> (forall k, (k < n)%nat -> v k = numbers_of z k) ->
  describes v N (fun k => INR (z k)) (on_support (pattern n z)).
Proof.
  intros n N z v Z L E t v' w T G F k. destruct (supported_ok n z v t v' Z ltac:(lia) E F k) as [A B].
  simpl. rewrite A. auto.
Qed.

(* The same with a few items more *)
Definition fraction_plus (x : fraction) (c : nat) : outcome :=
  match c with O => Known x | _ => known (add x (number (Z.of_nat c) 1)) end.
Lemma fraction_plus_ok : forall w v x c, good w v -> sound v x -> means v (fraction_plus x c) (Some (fraction_value v x + INR c)).
Proof.
  intros w v x c G X. unfold fraction_plus. destruct c as [|c]. { simpl. split; auto. f_equal. ring. }
  apply known_ok. intros y Y. destruct (number_ok v (Z.of_nat (S c)) 1) as [A B].
  destruct (add_ok w v G x _ y X B Y) as [C D]. split; auto. rewrite C, A, INR_IZR_INZ. f_equal. field.
Qed.
Definition moved (s : list bool) (l : list nat) (t : list fraction) (k : nat) : outcome := fraction_plus (supported s t k) (count k l).
Definition spread (n : nat) (s : list bool) (l : list nat) : list bool := map (fun k => has s k <|> (0 <? count k l)%nat) (seq 0 n).
Lemma moved_ok : forall n z l, matrix n z -> describes (numbers_of z) n (fun k => INR (plus z l k)) (moved (pattern n z) l).
Proof.
  intros n z l Z t v' w T G F k. destruct (supported_ok n z _ t v' Z ltac:(lia) ltac:(auto) F k) as [A B].
  unfold plus, moved. rewrite plus_INR, A. eapply fraction_plus_ok; eauto.
Qed.
Lemma spread_ok : forall n z l, matrix n z -> pattern n (plus z l) = spread n (pattern n z) l.
Proof.
  intros n z l H. unfold pattern at 1, spread. apply map_ext. intro k. rewrite has_pattern by auto. unfold plus.
  destruct (Nat.ltb_spec 0 (z k)), (Nat.ltb_spec 0 (count k l)), (Nat.ltb_spec 0 (z k + count k l)); auto; lia.
Qed.

(* Cells that are numbers *)
Definition fixed (l : list nat) (t : list fraction) (k : nat) : outcome := Known (number (Z.of_nat (nth k l 0%nat)) 1).
Definition counts_of (l : list nat) : counts := fun k => nth k l 0%nat.
Lemma fixed_ok : forall v n l, describes v n (fun k => INR (counts_of l k)) (fixed l).
Proof.
  intros v n l t v' w T G F k. unfold fixed, counts_of. destruct (number_ok v' (Z.of_nat (nth k l 0%nat)) 1) as [A B].
  simpl. rewrite A, INR_IZR_INZ. split; auto. f_equal. field.
Qed.
Lemma counts_of_matrix : forall n l, (length l <=? n)%nat = true -> matrix n (counts_of l).
Proof. intros n l H k K. apply Nat.leb_le in H. apply nth_overflow. lia. Qed.

(* A formula of numbers has no cells. *)
Definition nowhere (t : list fraction) (k : nat) : outcome := Known zero.
Lemma nowhere_ok : forall v n, describes v n (fun _ => 0) nowhere.
Proof. intros v n t v' w T G F k. destruct (zero_ok v') as [A B]. simpl. rewrite A. auto. Qed.
