(* Every number of classes: formulas with sums over classes. What such a formula means for m classes is a formula without
   sums, `written_out m`; this has to be believed too. Class symmetry is proved of all of them at once. *)
From Coq Require Import Reals List Bool Permutation Lra Lia PeanoNat ZArith.
From Goodmeasure Require Import Tree Polynomials Statements Supports Comparing Definedness Averages.
Import ListNotations.
Local Open Scope R_scope.

Module Loops.
  (* Classes are variables, counted from the innermost sum outwards. A matrix is given by the formula of its cells, in which
     class 1 is the row and class 0 the column; `Given` is the count there. *)
  Inductive loop :=
  | Const (p : Z) (q : positive) | Classes | Given
  | Cell (of : loop) (i j : nat) | Row (of : loop) (i : nat) | Column (of : loop) (j : nat) | Total (of : loop)
  | Add (a b : loop) | Sub (a b : loop) | Mul (a b : loop) | Min (a b : loop) | Max (a b : loop)
  | Div (a b rule : loop) | Root (d : positive) (a : loop)
  | Log (a : loop) | Exp (a : loop) | Arccos (a : loop) | Arcsin (a : loop) | Pi
  | If (t : comparing) (a b x y : loop) | IfDefined (a x y : loop) | Undefined
  | IfSame (i j : nat) (x y : loop)                           (* x if both classes are the same, and else y *)
  | Sum (a : loop) | Least (a : loop) | Greatest (a : loop).  (* over the classes, of which a has one more *)
End Loops.
Notation loop := Loops.loop.

Definition added (l : list expr) : expr := fold_right Add (Const 0 1) l.
Definition folded (f : expr -> expr -> expr) (l : list expr) : expr :=
  match l with [] => Undefined | e :: l' => fold_right f e l' end.

(* The formula for m classes, where the class variables stand for the classes in `at_` *)
Fixpoint written_out (m : nat) (at_ : list nat) (t : loop) : expr :=
  let go := written_out m at_ in
  let class i := nth i at_ 0%nat in
  let cell_of of i j := written_out m [j; i] of in
  match t with
  | Loops.Const p q => Const p q
  | Loops.Classes => Const (Z.of_nat m) 1
  | Loops.Given => Cell (cell m (class 1%nat) (class 0%nat))
  | Loops.Cell of i j => cell_of of (class i) (class j)
  | Loops.Row of i => added (map (fun j => cell_of of (class i) j) (classes m))
  | Loops.Column of j => added (map (fun i => cell_of of i (class j)) (classes m))
  | Loops.Total of => added (map (fun i => added (map (fun j => cell_of of i j) (classes m))) (classes m))
  | Loops.Add a b => Add (go a) (go b)
  | Loops.Sub a b => Sub (go a) (go b)
  | Loops.Mul a b => Mul (go a) (go b)
  | Loops.Min a b => Min (go a) (go b)
  | Loops.Max a b => Max (go a) (go b)
  | Loops.Div a b rule => Div (go a) (go b) (go rule)
  | Loops.Root d a => Root d (go a)
  | Loops.Log a => Log (go a)
  | Loops.Exp a => Exp (go a)
  | Loops.Arccos a => Arccos (go a)
  | Loops.Arcsin a => Arcsin (go a)
  | Loops.Pi => Pi
  | Loops.If c a b x y => If c (go a) (go b) (go x) (go y)
  | Loops.IfDefined a x y => IfDefined (go a) (go x) (go y)
  | Loops.Undefined => Undefined
  | Loops.IfSame i j x y => if (class i =? class j)%nat then go x else go y
  | Loops.Sum a => added (map (fun i => written_out m (i :: at_) a) (classes m))
  | Loops.Least a => folded Min (map (fun i => written_out m (i :: at_) a) (classes m))
  | Loops.Greatest a => folded Max (map (fun i => written_out m (i :: at_) a) (classes m))
  end.
Definition for_classes (t : loop) (m : nat) : formulas := [written_out m [] t].

(* Sums, least and greatest values do not depend on the order. *)

Section Order.
  Variable op : R -> R -> R.
  Hypothesis commutes : forall x y, op x y = op y x.
  Hypothesis associates : forall x y z, op x (op y z) = op (op x y) z.
  Definition lifted (x y : option R) : option R := bind x (fun u => bind y (fun v => Some (op u v))).
  Lemma lifted_swap : forall x y z, lifted x (lifted y z) = lifted y (lifted x z).
  Proof.
    intros [x|] [y|] [z|]; simpl; auto. f_equal. rewrite !associates, (commutes x y). auto.
  Qed.
  Lemma fold_order : forall l r (z : option R), Permutation l r -> fold_right lifted z l = fold_right lifted z r.
  Proof.
    intros l r z P. induction P; simpl; try congruence. apply lifted_swap.
  Qed.
  Lemma fold_last : forall l x y, fold_right lifted x (y :: l) = fold_right lifted y (x :: l).
  Proof.
    assert (C : forall x y, lifted x y = lifted y x) by (intros [x|] [y|]; simpl; auto; f_equal; apply commutes).
    induction l as [|w l IH]; intros x y; simpl in *; [apply C|].
    rewrite lifted_swap, IH, lifted_swap. auto.
  Qed.
  Definition fold_of (l : list (option R)) : option R := match l with [] => None | x :: l' => fold_right lifted x l' end.
  Lemma fold_of_order : forall l r, Permutation l r -> fold_of l = fold_of r.
  Proof.
    assert (H : forall l x r, Permutation (x :: l) r -> fold_right lifted x l = fold_of r).
    { intros l x r P. destruct r as [|y r]; [apply Permutation_sym, Permutation_nil in P; discriminate|].
      destruct (in_split y (x :: l)) as (a & b & E). { apply Permutation_in with (y :: r); [apply Permutation_sym; auto | left; auto]. }
      cbn [fold_of]. destruct a as [|w a]; injection E as -> ->.
      - apply fold_order. eapply Permutation_cons_inv; eauto.
      - transitivity (fold_right lifted w (y :: a ++ b)).
        { apply fold_order. apply Permutation_sym, Permutation_middle. }
        rewrite fold_last. apply fold_order. apply Permutation_cons_inv with y.
        apply Permutation_trans with (w :: a ++ y :: b); auto.
        apply Permutation_trans with (w :: y :: a ++ b); [apply perm_swap | apply perm_skip, Permutation_middle]. }
    intros l r P. destruct l as [|x l]; [apply Permutation_nil in P; subst; auto|]. apply H. auto.
  Qed.
End Order.
Lemma eval_added : forall c k l, eval c k (added l) = fold_right (lifted Rplus) (Some 0) (map (eval c k) l).
Proof.
  intros c k. induction l as [|e l IH]; cbn [added fold_right map eval].
  - f_equal. simpl. field.
  - fold (added l). rewrite IH. reflexivity.
Qed.
Lemma eval_least : forall c k l, eval c k (folded Min l) = fold_of Rmin (map (eval c k) l).
Proof. intros c k [|e l]; auto. cbn [folded map fold_of]. induction l as [|d l IH]; cbn [fold_right map eval]; auto. rewrite IH. reflexivity. Qed.
Lemma eval_greatest : forall c k l, eval c k (folded Max l) = fold_of Rmax (map (eval c k) l).
Proof. intros c k [|e l]; auto. cbn [folded map fold_of]. induction l as [|d l IH]; cbn [fold_right map eval]; auto. rewrite IH. reflexivity. Qed.

Section Symmetry.
  Variable m : nat.
  Variable p : nat -> nat.
  Hypothesis permutes : Permutation (map p (classes m)) (classes m).
  Variable c d : nat -> R.
  Hypothesis renames : forall i j, (i < m)%nat -> (j < m)%nat -> d (cell m i j) = c (cell m (p i) (p j)).

  Lemma p_small : forall i, (i < m)%nat -> (p i < m)%nat.
  Proof.
    intros i I. assert (In (p i) (classes m)) by (eapply Permutation_in; [exact permutes | apply in_map, in_seq; lia]).
    apply in_seq in H. lia.
  Qed.
  Lemma p_injective : forall i j, (i < m)%nat -> (j < m)%nat -> p i = p j -> i = j.
  Proof.
    intros i j I J E. assert (N : NoDup (map p (classes m))) by (eapply Permutation_NoDup; [apply Permutation_sym; exact permutes | apply seq_NoDup]).
    assert (H : forall l, NoDup (map p l) -> In i l -> In j l -> i = j).
    { clear - E. induction l as [|x l IH]; intros N A B; [destruct A|]. inversion N; subst. destruct A as [->|A], B as [->|B]; auto.
      - exfalso. apply H1. rewrite E. apply in_map. auto.
      - exfalso. apply H1. rewrite <- E. apply in_map. auto. }
    apply (H (classes m)); auto; apply in_seq; lia.
  Qed.
  Lemma over_classes : forall (f g : nat -> option R), (forall i, (i < m)%nat -> f i = g (p i)) ->
    Permutation (map f (classes m)) (map g (classes m)).
  Proof.
    intros f g H. replace (map f (classes m)) with (map g (map p (classes m))).
    - apply Permutation_map. exact permutes.
    - rewrite map_map. apply map_ext_in. intros i I. apply in_seq in I. symmetry. apply H. lia.
  Qed.
  Definition small (at_ : list nat) := forall i, In i at_ -> (i < m)%nat.
  (* All class variables are bound. *)
  Fixpoint closed (n : nat) (t : loop) : bool :=
    match t with
    | Loops.Const _ _ | Loops.Classes | Loops.Pi | Loops.Undefined => true
    | Loops.Given => (1 <? n)%nat
    | Loops.Cell of i j => (i <? n)%nat && (j <? n)%nat && closed 2 of
    | Loops.Row of i | Loops.Column of i => (i <? n)%nat && closed 2 of
    | Loops.Total of => closed 2 of
    | Loops.Add a b | Loops.Sub a b | Loops.Mul a b | Loops.Min a b | Loops.Max a b => closed n a && closed n b
    | Loops.Div a b r => closed n a && closed n b && closed n r
    | Loops.Root _ a | Loops.Log a | Loops.Exp a | Loops.Arccos a | Loops.Arcsin a => closed n a
    | Loops.If _ a b x y => closed n a && closed n b && closed n x && closed n y
    | Loops.IfDefined a x y => closed n a && closed n x && closed n y
    | Loops.IfSame i j x y => (i <? n)%nat && (j <? n)%nat && closed n x && closed n y
    | Loops.Sum a | Loops.Least a | Loops.Greatest a => closed (S n) a
    end.
  Lemma class_of : forall at_ i, (i < length at_)%nat -> small at_ ->
    nth i (map p at_) 0%nat = p (nth i at_ 0%nat) /\ (nth i at_ 0 < m)%nat.
  Proof.
    intros at_ i L S. split; [rewrite nth_indep with (d' := p 0%nat) by (rewrite map_length; auto); apply map_nth | apply S, nth_In; auto].
  Qed.
  Lemma small_cons : forall i at_, (i < m)%nat -> small at_ -> small (i :: at_).
  Proof. intros i at_ I S j [<-|J]; auto. Qed.
  Lemma sums_agree : forall (f g : nat -> expr) k, (forall i, (i < m)%nat -> eval d k (f i) = eval c k (g (p i))) ->
    eval d k (added (map f (classes m))) = eval c k (added (map g (classes m))).
  Proof.
    intros f g k H. rewrite !eval_added, !map_map. apply fold_order; try (intros; lra). apply over_classes. auto.
  Qed.

  Lemma renamed_loop : forall t at_ k, closed (length at_) t = true -> small at_ ->
    eval d k (written_out m at_ t) = eval c k (written_out m (map p at_) t).
  Proof.
    induction t; intros at_ k C S; cbn [closed] in C; cbn [written_out eval];
      repeat match goal with H : (_ && _)%bool = true |- _ => apply andb_prop in H as [H ?] end;
      try (rewrite ?(IHt at_ k), ?(IHt1 at_ k), ?(IHt2 at_ k), ?(IHt3 at_ k), ?(IHt4 at_ k) by auto; reflexivity).
    - apply Nat.ltb_lt in C. destruct (class_of at_ 1 C S) as [E1 L1]. destruct (class_of at_ 0 ltac:(lia) S) as [E0 L0].
      rewrite E1, E0. f_equal. apply renames; auto.
    - apply Nat.ltb_lt in C, H0. destruct (class_of at_ i C S) as [E1 L1]. destruct (class_of at_ j H0 S) as [E2 L2].
      rewrite E1, E2. apply (IHt [nth j at_ 0%nat; nth i at_ 0%nat]); auto. repeat apply small_cons; auto. intros x [].
    - apply Nat.ltb_lt in C. destruct (class_of at_ i C S) as [E1 L1]. rewrite E1.
      apply sums_agree. intros j J. apply (IHt [j; nth i at_ 0%nat]); auto. repeat apply small_cons; auto. intros x [].
    - apply Nat.ltb_lt in C. destruct (class_of at_ j C S) as [E1 L1]. rewrite E1.
      apply sums_agree. intros i I. apply (IHt [nth j at_ 0%nat; i]); auto. repeat apply small_cons; auto. intros x [].
    - apply sums_agree. intros i I. apply sums_agree. intros j J. apply (IHt [j; i]); auto. repeat apply small_cons; auto. intros x [].
    - apply Nat.ltb_lt in C, H1. destruct (class_of at_ i C S) as [E1 L1]. destruct (class_of at_ j H1 S) as [E2 L2]. rewrite E1, E2.
      destruct (Nat.eqb_spec (nth i at_ 0%nat) (nth j at_ 0%nat)) as [E|E], (Nat.eqb_spec (p (nth i at_ 0%nat)) (p (nth j at_ 0%nat))) as [F|F]; auto.
      + congruence.
      + exfalso. apply E, p_injective; auto.
    - apply sums_agree. intros i I. apply (IHt (i :: at_)); auto. apply small_cons; auto.
    - rewrite !eval_least, !map_map. apply fold_of_order; [apply Rmin_comm | apply Rmin_assoc |].
      apply over_classes. intros i I. apply (IHt (i :: at_)); auto. apply small_cons; auto.
    - rewrite !eval_greatest, !map_map. apply fold_of_order; [apply Rmax_comm | apply Rmax_assoc |].
      apply over_classes. intros i I. apply (IHt (i :: at_)); auto. apply small_cons; auto.
  Qed.
End Symmetry.

Lemma in_insertions : forall x l r, In r (insertions x l) -> Permutation r (x :: l).
Proof.
  intros x. induction l as [|y l IH]; intros r I; cbn [insertions] in I.
  - destruct I as [<-|[]]. apply Permutation_refl.
  - destruct I as [<-|I]; [apply Permutation_refl|]. apply in_map_iff in I as (s & <- & I). apply IH in I.
    apply Permutation_trans with (y :: x :: l); [apply perm_skip; auto | apply perm_swap].
Qed.
Lemma in_permutations : forall l r, In r (permutations l) -> Permutation r l.
Proof.
  induction l as [|x l IH]; intros r I; cbn [permutations] in I; [destruct I as [<-|[]]; auto|].
  apply in_flat_map in I as (s & S & I). apply in_insertions in I. apply Permutation_trans with (x :: s); auto.
Qed.
Lemma map_nth_self : forall (l : list nat) d, map (fun i => nth i l d) (seq 0 (length l)) = l.
Proof.
  intros l d. apply nth_ext with (d := nth 0 l d) (d' := d). { rewrite map_length, seq_length. auto. }
  intros i I. rewrite map_length, seq_length in I. rewrite (map_nth (fun i => nth i l d)), seq_nth by auto. auto.
Qed.
Theorem class_symmetry_of_every_number : forall t, closed 0 t = true -> forall m D, class_symmetry m D (for_classes t m).
Proof.
  intros t C m D q Q z Z _ _ x y X Y. apply in_permutations in Q.
  assert (L : length q = m) by (apply Permutation_length in Q; unfold classes in Q; rewrite seq_length in Q; auto).
  assert (P : Permutation (map (fun i => nth i q 0%nat) (classes m)) (classes m)).
  { unfold classes in *. rewrite <- L at 1. rewrite map_nth_self. auto. }
  unfold M, for_classes, value, values in X, Y. cbn [fold_left app last] in X, Y.
  rewrite (renamed_loop m (fun i => nth i q 0%nat) P (fun k => INR (z k)) (fun k => INR (image (m * m) (renamed m q) z k))) in Y; auto.
  - cbn [map] in Y. congruence.
  - intros i j I J. unfold image, renamed. destruct (Nat.ltb_spec (cell m i j) (m * m)) as [|N].
    + destruct (div_cell m i j J) as [A B]. rewrite A, B. auto.
    + pose proof (cell_small m i j I J). lia.
  - intros i [].
Qed.
