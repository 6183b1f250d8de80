(* What is claimed of a measure: to be read, and to be believed to be the papers' statements. Nothing is proved here. *)
From Coq Require Import Reals ZArith List Bool PeanoNat.
From Goodmeasure Require Import Tree.
Import ListNotations.
Local Open Scope R_scope.

(* A matrix of m classes is a function from its cells k = i*m + j < m*m to counts; i is the true class, j the predicted
   one. Its pattern says which cells are positive. *)
Definition counts := nat -> nat.
Definition matrix (n : nat) (z : counts) := forall k, (n <= k)%nat -> z k = 0%nat.
Definition pattern (n : nat) (z : counts) : list bool := map (fun k => (0 <? z k)%nat) (seq 0 n).
Definition M (f : formulas) (z : counts) : option R := value (fun k => INR (z k)) f.
Definition has (s : list bool) (k : nat) : bool := nth k s false.
Definition classes (m : nat) := seq 0 m.
Definition cell (m i j : nat) : nat := (i * m + j)%nat.
Definition row (m : nat) (z : counts) (i : nat) : nat := list_sum (map (fun j => z (cell m i j)) (classes m)).
Definition column (m : nat) (z : counts) (j : nat) : nat := list_sum (map (fun i => z (cell m i j)) (classes m)).

(* Domains and side conditions are about patterns. *)
Definition domain := nat -> list bool -> bool.
Definition every_matrix : domain := fun m s => existsb (has s) (seq 0 (m * m)).
Definition regular : domain := fun m s =>      (* every class occurs in both labelings *)
  forallb (fun i => existsb (fun j => has s (cell m i j)) (classes m) && existsb (fun j => has s (cell m j i)) (classes m))
    (classes m).
Definition non_unary (m : nat) (s : list bool) : bool :=    (* no row and no column holds all items *)
  forallb (fun i => existsb (fun k => has s k && negb (k / m =? i)%nat) (seq 0 (m * m))
                 && existsb (fun k => has s k && negb (k mod m =? i)%nat) (seq 0 (m * m))) (classes m).
Definition on_diagonal (m k : nat) : bool := (k / m =? k mod m)%nat.
Definition diagonal (m : nat) (s : list bool) : bool :=
  forallb (fun k => implb (has s k) (on_diagonal m k)) (seq 0 (m * m)).
Definition zero_diagonal (m : nat) (s : list bool) : bool :=
  forallb (fun k => implb (has s k) (negb (on_diagonal m k))) (seq 0 (m * m)).

(* Moves: C is z with the items of `takes`, C' is z with the items of `gives`, for a common part z. *)
Record move := Move { takes : list nat; gives : list nat; rises : bool }.
Definition count (k : nat) (l : list nat) : nat := count_occ Nat.eq_dec l k.
Definition plus (z : counts) (l : list nat) : counts := fun k => (z k + count k l)%nat.
Definition right_order (rises strict : bool) (x y : R) : Prop :=
  if rises then (if strict then x < y else x <= y) else (if strict then y < x else y <= x).
Definition moves_hold (n : nat) (D : list bool -> bool) (side : list bool -> list bool -> bool) (strict : bool)
    (moves : list move) (f : formulas) : Prop :=
  forall z, matrix n z -> forall v, In v moves ->
  D (pattern n (plus z (takes v))) = true -> D (pattern n (plus z (gives v))) = true ->
  side (pattern n (plus z (takes v))) (pattern n (plus z (gives v))) = true ->
  forall x y, M f (plus z (takes v)) = Some x -> M f (plus z (gives v)) = Some y -> right_order (rises v) strict x y.

Definition pairs (m : nat) := list_prod (classes m) (classes m).
Definition off_diagonal (m : nat) := filter (fun p => negb (fst p =? snd p)%nat) (pairs m).
Definition resolve_a_disagreement (m : nat) : list move :=
  flat_map (fun p => let '(i, j) := p in
    [Move [cell m i j] [cell m i i] true; Move [cell m i j] [cell m j j] true]) (off_diagonal m).
Definition more_right_or_fewer_wrong (m : nat) : list move :=
  map (fun p => let '(i, j) := p in
    if (i =? j)%nat then Move [] [cell m i j] true else Move [cell m i j] [] true) (pairs m).
Definition one_more_item (m : nat) : list move :=
  map (fun p => let '(i, j) := p in Move [] [cell m i j] (i =? j)%nat) (pairs m).
Definition correct_one_prediction (m : nat) : list move :=
  map (fun p => let '(i, j) := p in Move [cell m i j] [cell m i i] true) (off_diagonal m).

(* Goesgens et al. 2021, Definitions 6 and 7 *)
Definition monotone (m : nat) (D : domain) (f : formulas) : Prop :=
  moves_hold (m * m) (D m) (fun s _ => non_unary m s) true (resolve_a_disagreement m) f.
Definition unless_both_extreme (m : nat) (s t : list bool) : bool :=
  non_unary m s && negb (diagonal m s && diagonal m t) && negb (zero_diagonal m s && zero_diagonal m t).
Definition strongly_monotone (m : nat) (D : domain) (f : formulas) : Prop :=
  moves_hold (m * m) (D m) (unless_both_extreme m) true (more_right_or_fewer_wrong m) f.
(* Opitz 2024, Property I; Sebastiani 2015, Axiom 1 *)
Definition opitz_monotone (m : nat) (D : domain) (f : formulas) : Prop :=
  moves_hold (m * m) (D m) (fun _ _ => true) false (one_more_item m) f.
Definition sebastiani_mon (m : nat) (D : domain) (f : formulas) : Prop :=
  moves_hold (m * m) (D m) (fun _ _ => true) true (correct_one_prediction m) f.

(* Goesgens et al., Definitions 1 and 2: the best (worst) value is one constant, and reached exactly on these patterns *)
Definition extreme (n : nat) (D at_ : list bool -> bool) (greatest : bool) (f : formulas) : Prop :=
  exists c : R, forall z, matrix n z -> D (pattern n z) = true -> forall x, M f z = Some x ->
  (if greatest then x <= c else c <= x) /\ (x = c <-> at_ (pattern n z) = true).
Definition maximal_agreement (m : nat) (D : domain) (f : formulas) : Prop := extreme (m * m) (D m) (diagonal m) true f.
Definition minimal_agreement (m : nat) (D : domain) (f : formulas) : Prop :=
  extreme (m * m) (D m) (zero_diagonal m) false f.

(* Goesgens et al., Definitions 3 and 4; Sebastiani, Axiom 8: M(C) = M(C') where cell k of C' is cell g k of C *)
Definition image (n : nat) (g : nat -> nat) (z : counts) : counts := fun k => if (k <? n)%nat then z (g k) else 0%nat.
Definition invariant (n : nat) (D : list bool -> bool) (g : nat -> nat) (f : formulas) : Prop :=
  forall z, matrix n z -> D (pattern n z) = true -> D (pattern n (image n g z)) = true ->
  forall x y, M f z = Some x -> M f (image n g z) = Some y -> x = y.
Definition transposed (m k : nat) : nat := cell m (k mod m) (k / m).
Definition symmetry (m : nat) (D : domain) (f : formulas) : Prop := invariant (m * m) (D m) (transposed m) f.
Fixpoint insertions (x : nat) (l : list nat) : list (list nat) :=
  (x :: l) :: match l with [] => [] | y :: l' => map (cons y) (insertions x l') end.
Fixpoint permutations (l : list nat) : list (list nat) :=
  match l with [] => [[]] | x :: l' => flat_map (insertions x) (permutations l') end.
Definition renamed (m : nat) (p : list nat) (k : nat) : nat := cell m (nth (k / m) p 0%nat) (nth (k mod m) p 0%nat).
Definition class_symmetry (m : nat) (D : domain) (f : formulas) : Prop :=
  forall p, In p (permutations (classes m)) -> invariant (m * m) (D m) (renamed m p) f.
Definition sebastiani_sym := class_symmetry.

(* Goesgens et al., Definition 11; Opitz, Property IV: the whole matrix is multiplied by a factor, or each row by its own *)
Definition scaling (n : nat) (D : list bool -> bool) (factor : nat -> nat) (f : formulas) : Prop :=
  forall z, matrix n z -> D (pattern n z) = true -> forall r : nat -> R, (forall i, 0 < r i) ->
  forall x y, M f z = Some x -> value (fun k => r (factor k) * INR (z k)) f = Some y -> x = y.
Definition scale_invariance (m : nat) (D : domain) (f : formulas) : Prop := scaling (m * m) (D m) (fun _ => 0%nat) f.
Definition opitz_prevalence_invariant (m : nat) (D : domain) (f : formulas) : Prop :=
  scaling (m * m) (D m) (fun k => (k / m)%nat) f.

(* Independent labelings with class sizes a and b: the cells are a_i * b_j / n.
   Goesgens et al., Definition 9 (b_j <> n); Opitz, Property V, strict *)
Definition total (m : nat) (a : counts) : nat := list_sum (map a (classes m)).
Definition crossed (m : nat) (s t : list bool) : list bool :=
  map (fun k => has s (k / m) && has t (k mod m)) (seq 0 (m * m)).
Definition guessed (m : nat) (a b : counts) (k : nat) : R :=
  if (k <? m * m)%nat then INR (a (k / m)%nat) * INR (b (k mod m)%nat) / INR (total m a) else 0.
Definition several (t : list bool) : bool := (2 <=? length (filter (fun x => x) t))%nat.
Definition same_totals (m : nat) (D : domain) (a b : counts) : Prop :=
  total m a = total m b /\ (0 < total m a)%nat /\ D m (crossed m (pattern m a) (pattern m b)) = true.
Definition independent (m : nat) (D : domain) (side : list bool -> bool) (f : formulas) : Prop :=
  exists c : R, forall a b, same_totals m D a b -> side (pattern m b) = true ->
  forall x, value (guessed m a b) f = Some x -> x = c.
Definition approximate_constant_baseline (m : nat) (D : domain) (f : formulas) : Prop := independent m D several f.
Definition opitz_chance_corrected_strictly (m : nat) (D : domain) (f : formulas) : Prop :=
  independent m D (fun _ => true) f.
(* Opitz, Property V: the best guess is worth the same for all true class sizes, and less than something *)
Definition opitz_chance_corrected (m : nat) (D : domain) (f : formulas) : Prop :=
  exists w : R,
  (forall a, (exists b x, same_totals m D a b /\ value (guessed m a b) f = Some x) ->
             is_lub (fun x => exists b, same_totals m D a b /\ value (guessed m a b) f = Some x) w) /\
  (exists z x, matrix (m * m) z /\ D m (pattern (m * m) z) = true /\ M f z = Some x /\ w < x).

(* Goesgens et al., Definition 13 (two classes): where labelings are independent, the measure is one constant, and as a
   function of t = p_AB - p_A * p_B its derivatives of orders 2 to k vanish. *)
Definition shares (p q t : R) (k : nat) : R :=
  match k with
  | 0%nat => (1 - p) * (1 - q) + t | 1%nat => (1 - p) * q - t | 2%nat => p * (1 - q) - t | 3%nat => p * q + t | _ => 0
  end.
Fixpoint derivative (n : nat) (r : R) (F G : R -> R) : Prop :=    (* G is the n-th derivative of F on (-r, r) *)
  match n with
  | O => forall t, Rabs t < r -> F t = G t
  | S n' => exists H, (forall t, Rabs t < r -> derivable_pt_lim F t (H t)) /\ derivative n' r H G
  end.
Definition flat (order : nat) (f : formulas) : Prop :=
  exists c : R, forall p q, 0 < p < 1 -> 0 < q < 1 ->
  exists r F, 0 < r /\ (forall t, Rabs t < r -> value (shares p q t) f = Some (F t)) /\ F 0 = c /\
  forall n, (2 <= n <= order)%nat -> exists G, derivative n r F G /\ G 0 = 0.

(* Sebastiani, Axioms 3, 4, 5, 7 *)
Definition sebastiani_sde (m : nat) (D : domain) (f : formulas) : Prop :=
  forall z, matrix (m * m) z -> D m (pattern (m * m) z) = true -> M f z <> None.
Definition same_true_sizes (m : nat) (z y : counts) : Prop := forall i, (i < m)%nat -> row m z i = row m y i.
Definition sebastiani_wde (m : nat) (D : domain) (f : formulas) : Prop :=
  forall z y, matrix (m * m) z -> matrix (m * m) y -> D m (pattern (m * m) z) = true -> D m (pattern (m * m) y) = true ->
  same_true_sizes m z y -> M f z = None -> M f y = None.
Definition reached (m : nat) (D : domain) (f : formulas) (z : counts) (x : R) : Prop :=
  exists y, matrix (m * m) y /\ D m (pattern (m * m) y) = true /\ same_true_sizes m z y /\ M f y = Some x.
Definition sebastiani_fix (m : nat) (D : domain) (f : formulas) : Prop :=
  exists low high : R, forall z x, matrix (m * m) z -> D m (pattern (m * m) z) = true -> M f z = Some x ->
  low <= x <= high /\ reached m D f z low /\ reached m D f z high.
Definition constant_prediction (m j : nat) : list bool := map (fun k => (k mod m =? j)%nat) (seq 0 (m * m)).
Definition sebastiani_imb (m : nat) (D : domain) (f : formulas) : Prop :=
  exists c : nat -> R, forall j, (j < m)%nat -> D m (constant_prediction m j) = true ->
  forall z, matrix (m * m) z -> pattern (m * m) z = constant_prediction m j -> forall x, M f z = Some x -> x = c j.

(* Opitz, Property II, and its negation *)
Definition alike (m k l : nat) : bool := eqb (on_diagonal m k) (on_diagonal m l).
Definition opitz_class_sensitive (m : nat) (D : domain) (f : formulas) : Prop :=
  exists z k l x y, matrix (m * m) z /\ (k < m * m)%nat /\ (l < m * m)%nat /\ alike m k l = true /\
  D m (pattern (m * m) z) = true /\ D m (pattern (m * m) (plus z [k])) = true /\
  D m (pattern (m * m) (plus z [l])) = true /\ M f (plus z [k]) = Some x /\ M f (plus z [l]) = Some y /\ x <> y.
Definition opitz_class_indifferent (m : nat) (D : domain) (f : formulas) : Prop :=
  forall k l, (k < m * m)%nat -> (l < m * m)%nat -> alike m k l = true ->
  forall z, matrix (m * m) z -> D m (pattern (m * m) (plus z [k])) = true -> D m (pattern (m * m) (plus z [l])) = true ->
  forall x y, M f (plus z [k]) = Some x -> M f (plus z [l]) = Some y -> x = y.

(* Opitz, Property III: a power mean over classes of scores of the row and the column of each class. Scores are any real
   numbers if p is odd, and not negative otherwise; for p <= 0 a score 0 makes the mean 0. *)
Definition sum (l : list R) : R := fold_right Rplus 0 l.
Definition is_mean (p : Z) (scores : list R) (x : R) : Prop :=
  match p with
  | 0%Z => (forall s, In s scores -> 0 <= s) /\ 0 <= x /\ x ^ length scores = fold_right Rmult 1 scores
  | _ => (Z.even p = true -> 0 <= x /\ forall s, In s scores -> 0 <= s) /\
         ((p < 0)%Z /\ In 0 scores /\ x = 0 \/
          ((p < 0)%Z -> ~ In 0 scores /\ x <> 0) /\
          INR (length scores) * powerRZ x p = sum (map (fun s => powerRZ s p) scores))
  end.
Definition cross (m i : nat) (z : counts) : counts :=     (* the row and the column of class i *)
  fun k => if (k / m =? i)%nat || (k mod m =? i)%nat then z k else 0%nat.
Definition opitz_class_decomposable (m : nat) (D : domain) (f : formulas) : Prop :=
  exists (p : Z) (g : nat -> counts -> R), (forall i z y, (forall k, z k = y k) -> g i z = g i y) /\
  forall z x, matrix (m * m) z -> D m (pattern (m * m) z) = true -> M f z = Some x ->
  is_mean p (map (fun i => g i (cross m i z)) (classes m)) x.

(* Random predictions. The true labels are a list of classes; `z` are the items that have been predicted so far. *)
Definition increased (z : counts) (k : nat) : counts := fun l => (z l + if (l =? k)%nat then 1 else 0)%nat.
Definition decreased (b : counts) (k : nat) : counts := fun l => (b l - if (l =? k)%nat then 1 else 0)%nat.
Definition empty : counts := fun _ => 0%nat.
Definition sizes (labels : list nat) : counts := fun i => count i labels.
(* The average over all predictions with class sizes b: labels are drawn one by one, without putting them back.
   Goesgens et al., Definition 8 *)
Fixpoint average (m : nat) (g : counts -> R) (labels : list nat) (b z : counts) : R :=
  match labels with
  | [] => g z
  | i :: others => sum (map (fun j => INR (b j) / INR (total m b) *
                                      average m g others (decreased b j) (increased z (cell m i j))) (classes m))
  end.
Definition or_zero (x : option R) : R := match x with Some u => u | None => 0 end.
Definition constant_baseline (m : nat) (D : domain) (f : formulas) : Prop :=
  exists c : R, forall labels b, (forall i, In i labels -> (i < m)%nat) ->
  same_totals m D (sizes labels) b -> several (pattern m b) = true ->
  (forall z, matrix (m * m) z -> (forall i, (i < m)%nat -> row m z i = sizes labels i /\ column m z i = b i) -> M f z <> None) ->
  average m (fun z => or_zero (M f z)) labels b empty = c.
(* The sum over all predictions; Sebastiani, Axiom 6: the average over those in the domain that have a value is one
   constant, so that the differences from it add up to 0. *)
Fixpoint sum_over_predictions (m : nat) (g : counts -> R) (labels : list nat) (z : counts) : R :=
  match labels with
  | [] => g z
  | i :: others => sum (map (fun j => sum_over_predictions m g others (increased z (cell m i j))) (classes m))
  end.
Definition sebastiani_cha (m : nat) (D : domain) (f : formulas) : Prop :=
  exists c : R, forall labels, (forall i, In i labels -> (i < m)%nat) -> labels <> [] ->
  sum_over_predictions m (fun z => if D m (pattern (m * m) z) then match M f z with Some x => x - c | None => 0 end else 0)
    labels empty = 0.

(* Goesgens et al., Definition 5: t counts the items with labels i, j, k in three labelings, and d = c - M is a distance. *)
Definition joint (m : nat) (t : counts) (i j k : nat) : nat := t ((i * m + j) * m + k)%nat.
Definition first_two (m : nat) (t : counts) : counts := fun c =>
  if (c <? m * m)%nat then list_sum (map (fun k => joint m t (c / m) (c mod m) k) (classes m)) else 0%nat.
Definition last_two (m : nat) (t : counts) : counts := fun c =>
  if (c <? m * m)%nat then list_sum (map (fun k => joint m t k (c / m) (c mod m)) (classes m)) else 0%nat.
Definition outer_two (m : nat) (t : counts) : counts := fun c =>
  if (c <? m * m)%nat then list_sum (map (fun k => joint m t (c / m) k (c mod m)) (classes m)) else 0%nat.
Definition distance (m : nat) (D : domain) (f : formulas) : Prop :=
  symmetry m D f /\ exists c : R,
  (forall z x, matrix (m * m) z -> D m (pattern (m * m) z) = true -> M f z = Some x ->
     x <= c /\ (x = c <-> diagonal m (pattern (m * m) z) = true)) /\
  forall t, matrix (m * m * m) t -> D m (pattern (m * m) (first_two m t)) = true ->
  D m (pattern (m * m) (last_two m t)) = true -> D m (pattern (m * m) (outer_two m t)) = true ->
  forall x y w, M f (first_two m t) = Some x -> M f (last_two m t) = Some y -> M f (outer_two m t) = Some w ->
  c - w <= (c - x) + (c - y).

(* An example of a value: what the formula gives on some counts is the value of a formula of numbers; None: undefined. *)
Definition gives_value (f : formulas) (rows : list nat) (e : expr) : Prop :=
  M f (fun k => nth k rows 0%nat) = value (fun _ => 0) [e] /\ value (fun _ => 0) [e] <> None.
Definition gives_nothing (f : formulas) (rows : list nat) : Prop := M f (fun k => nth k rows 0%nat) = None.
Definition has_values (f : formulas) (examples : list (list nat * option expr)) : Prop :=
  forall x, In x examples -> match snd x with Some e => gives_value f (fst x) e | None => gives_nothing f (fst x) end.
