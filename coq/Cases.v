(* Cases in positive variables, split further by the signs of polynomials until every sign is seen. *)
From Coq Require Import Reals ZArith QArith Qreals List Bool Lra Lia PeanoNat.
From Goodmeasure Require Import Tree Polynomials Signs Fractions Reading.
Import ListNotations.
Local Open Scope R_scope.

(* Putting a fraction in the place of a variable *)

Fixpoint fraction_pow (x : fraction) (n : nat) : fraction :=
  match n with O => unit | S O => x | S n' => mul x (fraction_pow x n') end.
Fixpoint exponent (i : nat) (m : monomial) : nat * monomial :=
  match m with
  | [] => (O, [])
  | (g, e) :: m' =>
      let '(k, n) := exponent i m' in
      match g with
      | Var j => if Nat.eqb i j then (Pos.to_nat e + k, n)%nat else (k, (g, e) :: n)
      | _ => (k, (g, e) :: n)
      end
  end.
Definition lacks (i : nat) (p : poly) : bool :=
  every (fun t => every (fun x => match fst x with Var j => negb (Nat.eqb i j) | _ => false end) (fst t)) p.
Fixpoint in_place (i : nat) (s : fraction) (p : poly) : option fraction :=
  match p with
  | [] => Some zero
  | (m, c) :: p' =>
      if of_variables m then
        let '(k, n) := exponent i m in
        match in_place i s p' with
        | Some r => add (mul (fraction_pow s k) (simplified (Fraction [(n, c)] 1 []))) r
        | None => None
        end
      else None
  end.
Definition integer_pow whole (x : fraction) (e : Q) : option fraction :=
  match e with
  | Zpos n # 1 => Some (fraction_pow x (Pos.to_nat n))
  | Zneg n # 1 => match inverse fuel whole x with Some y => Some (fraction_pow y (Pos.to_nat n)) | None => None end
  | _ => None
  end.
Fixpoint powers_in_place whole (i : nat) (s : fraction) (l : powers) : option fraction :=
  match l with
  | [] => Some unit
  | (f, e) :: l' =>
      match in_place i s f, powers_in_place whole i s l' with
      | Some x, Some y => match integer_pow whole x e with Some z => Some (mul z y) | None => None end
      | _, _ => None
      end
  end.
Definition number_in_place whole (i : nat) (s x : fraction) : option fraction :=
  match in_place i s (above x), powers_in_place whole i s (factors x) with
  | Some p, Some q => Some (mul (mul p (number 1 (below x))) q)
  | _, _ => None
  end.
Fixpoint all {A B} (f : A -> option B) (l : list A) : option (list B) :=
  match l with
  | [] => Some []
  | x :: l' => match f x, all f l' with Some y, Some r => Some (y :: r) | _, _ => None end
  end.

Lemma all_ok : forall A B (f : A -> option B) a b l r, all f l = Some r ->
  length r = length l /\ forall k, (k < length l)%nat -> f (nth k l a) = Some (nth k r b).
Proof.
  induction l as [|x l IH]; intros r H; cbn [all] in H. { injection H as <-. split; auto. intros k K. inversion K. }
  destruct (f x) as [y|] eqn:Y; [|discriminate]. destruct (all f l) as [r'|]; [|discriminate]. injection H as <-.
  destruct (IH r' eq_refl) as [L I]. split; [simpl; auto|]. intros [|k] K; cbn [nth]; auto. apply I. simpl in K. lia.
Qed.

Section InPlace.
  Variable whole : context.
  Variables u v : nat -> R.
  Hypothesis G : good whole v.
  Variable i : nat.
  Variable s : fraction.
  Hypothesis S : sound v s.
  Hypothesis U : forall k, u k = if Nat.eqb i k then fraction_value v s else v k.
  Let V : forall k, 0 < v k. Proof. apply G. Qed.

  Lemma fraction_pow_ok : forall x n, sound v x ->
    fraction_value v (fraction_pow x n) = fraction_value v x ^ n /\ sound v (fraction_pow x n).
  Proof.
    intros x n X. induction n as [|[|n] IH]. { apply unit_ok. } { simpl. split; [ring | auto]. }
    destruct IH as [A B]. change (fraction_pow x (Datatypes.S (Datatypes.S n))) with (mul x (fraction_pow x (Datatypes.S n))).
    destruct (mul_ok whole v G x _ X B) as [C D]. split; auto. rewrite C, A. reflexivity.
  Qed.
  Lemma exponent_ok : forall m, of_variables m = true ->
    mval u m = fraction_value v s ^ fst (exponent i m) * mval v (snd (exponent i m)).
  Proof.
    induction m as [|[[j|] e] m IH]; intros H; try discriminate.
    { cbn [exponent fst snd]. rewrite !mval_nil. simpl. ring. }
    rewrite mval_cons, IH by auto. cbn [exponent]. destruct (exponent i m) as [k n]. cbn [fst snd symbol_value].
    rewrite U. destruct (Nat.eqb i j); cbn [fst snd]; [rewrite pow_add | rewrite mval_cons; cbn [symbol_value]]; ring.
  Qed.
  Lemma term_ok : forall m c, fraction_value v (simplified (Fraction [(m, c)] 1 [])) = IZR c * mval v m /\
    sound v (simplified (Fraction [(m, c)] 1 [])).
  Proof.
    intros. destruct (simplified_ok v V (Fraction [(m, c)] 1 []) (Forall_nil _)) as [A B]. split; auto. rewrite A.
    unfold fraction_value; cbn [above below factors powers_value]. rewrite pval_cons, pval_nil. field.
  Qed.
  Lemma in_place_ok : forall p x, in_place i s p = Some x -> fraction_value v x = pval u p /\ sound v x.
  Proof.
    induction p as [|[m c] p IH]; intros x H; cbn [in_place] in H. { injection H as <-. rewrite pval_nil. apply zero_ok. }
    destruct (of_variables m) eqn:M; [|discriminate]. pose proof (exponent_ok m M) as E. destruct (exponent i m) as [k n].
    destruct (in_place i s p) as [r|]; [|discriminate]. destruct (IH r eq_refl) as [A B].
    destruct (fraction_pow_ok s k S) as [P1 P2]. destruct (term_ok n c) as [T1 T2].
    destruct (mul_ok whole v G _ _ P2 T2) as [M1 M2]. destruct (add_ok whole v G _ _ _ M2 B H) as [C D].
    split; auto. rewrite C, M1, P1, T1, A, pval_cons, E. cbn [fst snd]. ring.
  Qed.
  Lemma integer_pow_ok : forall x e y, sound v x -> 0 < fraction_value v x -> integer_pow whole x e = Some y ->
    fraction_value v y = Rpower (fraction_value v x) (Q2R e) /\ sound v y.
  Proof.
    intros x [[|n|n] [d|d|]] y X P H; try discriminate; cbn [integer_pow] in H.
    - injection H as <-. destruct (fraction_pow_ok x (Pos.to_nat n) X) as [A B]. split; auto. rewrite A, <- Rpower_pow by auto.
      f_equal. unfold Q2R. cbn [Qnum Qden]. rewrite INR_IZR_INZ, positive_nat_Z. field.
    - destruct (inverse fuel whole x) as [z|] eqn:Z; [|discriminate]. destruct (inverse_ok whole v G fuel x z X Z) as (A & B & C).
      injection H as <-. destruct (fraction_pow_ok z (Pos.to_nat n) C) as [D E]. split; auto.
      rewrite D, A, <- Rpower_pow by (apply Rinv_0_lt_compat; auto). rewrite INR_IZR_INZ, positive_nat_Z.
      replace (Q2R (Zneg n # 1)) with (- IZR (Zpos n)).
      2: { unfold Q2R. cbn [Qnum Qden]. replace (IZR (Zneg n)) with (- IZR (Zpos n)) by (rewrite <- opp_IZR; reflexivity). field. }
      rewrite Rpower_Ropp. unfold Rpower. rewrite ln_Rinv, <- exp_Ropp by auto. f_equal. ring.
  Qed.
  Lemma powers_in_place_ok : forall l x, sound_powers u l -> powers_in_place whole i s l = Some x ->
    fraction_value v x = powers_value u l /\ sound v x.
  Proof.
    induction l as [|[f e] l IH]; intros x L H; cbn [powers_in_place] in H. { injection H as <-. apply unit_ok. }
    inversion L; subst. cbn [fst] in *. destruct (in_place i s f) as [p|] eqn:P; [|discriminate].
    destruct (powers_in_place whole i s l) as [q|]; [|discriminate]. destruct (IH q H3 eq_refl) as [A B].
    destruct (in_place_ok f p P) as [C D]. destruct (integer_pow whole p e) as [z|] eqn:Z; [|discriminate].
    rewrite <- C in H2. destruct (integer_pow_ok p e z D H2 Z) as [E F]. injection H as <-.
    destruct (mul_ok whole v G z q F B) as [M1 M2]. split; auto. cbn [powers_value]. rewrite M1, E, A, C. auto.
  Qed.
  Lemma number_in_place_ok : forall x y, sound u x -> number_in_place whole i s x = Some y ->
    fraction_value v y = fraction_value u x /\ sound v y.
  Proof.
    intros x y X H. unfold number_in_place in H. destruct (in_place i s (above x)) as [p|] eqn:P; [|discriminate].
    destruct (powers_in_place whole i s (factors x)) as [q|] eqn:Q; [|discriminate]. injection H as <-.
    destruct (in_place_ok _ _ P) as [A B]. destruct (powers_in_place_ok _ _ X Q) as [C D].
    destruct (number_ok v 1 (below x)) as [N1 N2]. destruct (mul_ok whole v G p _ B N2) as [E F].
    destruct (mul_ok whole v G _ q F D) as [I J]. split; auto. rewrite I, E, A, C, N1. unfold fraction_value, Rdiv. ring.
  Qed.
End InPlace.

(* A split: the sign of lead * x - rest, where both are positive and do not mention the variable x. In each part one
   variable is expressed by a new one with the same number. If rest = others * z for another variable z, this one is
   replaced where the sign is negative. *)
Record split := Split { variable : nat; lead : poly; rest : poly; instead : option (nat * poly) }.
Definition proper (h : split) : bool :=
  let x := variable h in
  coefficients (lead h) <&> coefficients (rest h) <&> lacks x (lead h) <&> lacks x (rest h) <&>
  match instead h with
  | Some (z, c) => coefficients c <&> lacks z c <&> lacks z (lead h) <&> negb (Nat.eqb x z) <&> peq (pmul c (var z)) (rest h)
  | None => true
  end.
(* Differences of whole numbers are whole, so that a new variable may be whole again. *)
Definition integral (whole : nat -> bool) (p : poly) : bool :=
  every (fun t => every (fun x => match fst x with Var k => whole k | _ => false end) (fst t)) p.
(* What is known after variable i is replaced: whether it is whole; facts are forgotten. *)
Definition with_whole (b : bool) (i : nat) (x : context) : context :=
  Context (fun k => if Nat.eqb i k then b else whole x k) [].
Record part := Part { assumed : context; replaced : nat; numerator : poly; denominator : poly }.
Definition parts (c : context) (h : split) : list part :=
  let x := variable h in
  let b := integral (whole c) (lead h) <&> integral (whole c) (rest h) <&> whole c x in
  [ Part (with_whole b x c) x (padd (rest h) (var x)) (lead h);
    Part (Context (whole c) []) x (rest h) (lead h);
    match instead h with
    | Some (z, o) => Part (with_whole b z c) z (padd (pmul (lead h) (var x)) (var z)) o
    | None => Part (with_whole false x c) x (pmul (rest h) (var x)) (pmul (lead h) (padd one (var x)))
    end ].
Definition over whole (p q : poly) : option fraction :=
  match inverse fuel whole (simplified (Fraction q 1 [])) with
  | Some z => Some (mul (simplified (Fraction p 1 [])) z)
  | None => None
  end.

Lemma over_ok : forall whole v p q x, good whole v -> over whole p q = Some x ->
  fraction_value v x = pval v p / pval v q /\ sound v x.
Proof.
  intros whole v p q x G H. assert (V : forall k, 0 < v k) by apply G. unfold over in H.
  destruct (simplified_ok v V (Fraction q 1 []) (Forall_nil _)) as [A B].
  destruct (inverse fuel whole (simplified (Fraction q 1 []))) as [z|] eqn:Z; [|discriminate]. injection H as <-.
  destruct (inverse_ok whole v G fuel _ z B Z) as (C & _ & D).
  destruct (simplified_ok v V (Fraction p 1 []) (Forall_nil _)) as [E F]. destruct (mul_ok whole v G _ z F D) as [I J].
  split; auto. rewrite I, C, A, E. unfold fraction_value; cbn [above below factors powers_value].
  unfold Rdiv. rewrite Rinv_1, !Rmult_1_r. auto.
Qed.
Lemma lacks_ok : forall i u v p, (forall k, k <> i -> u k = v k) -> lacks i p = true -> pval u p = pval v p.
Proof.
  intros i u v p E.
  assert (M : forall m, every (fun x => match fst x with Var j => negb (Nat.eqb i j) | _ => false end) m = true ->
    mval u m = mval v m).
  { induction m as [|[[j|] e] m IH]; intros H; try discriminate; auto. apply both_true in H as [H1 H2]. cbn [fst] in H1.
    rewrite !mval_cons, IH by auto. cbn [symbol_value]. rewrite E; auto. intros ->. rewrite Nat.eqb_refl in H1. discriminate. }
  induction p as [|[m c] p IH]; intros H; auto. apply both_true in H as [H1 H2]. rewrite !pval_cons, M, IH; auto.
Qed.
Lemma integral_ok : forall c v p, good c v -> integral (whole c) p = true -> exists z, pval v p = IZR z.
Proof.
  intros c0 v p G.
  assert (M : forall m, every (fun x => match fst x with Var k => whole c0 k | _ => false end) m = true ->
    exists z, mval v m = IZR z).
  { induction m as [|[[j|] e] m IH]; intros H; try discriminate. { exists 1%Z. reflexivity. }
    apply both_true in H as [H1 H2]. destruct (IH H2) as [z Z]. destruct G as (_ & W & _). destruct (W j H1) as [n N].
    exists (Z.of_nat (S n) ^ Z.of_nat (Pos.to_nat e) * z)%Z. rewrite mval_cons, Z, mult_IZR, <- pow_IZR, <- INR_IZR_INZ.
    cbn [symbol_value]. rewrite N. auto. }
  induction p as [|[m c] p IH]; intros H. { exists 0%Z. reflexivity. }
  apply both_true in H as [H1 H2]. destruct (M m H1) as [a A]. destruct (IH H2) as [b B].
  exists (c * a + b)%Z. rewrite pval_cons, A, B, plus_IZR, mult_IZR. auto.
Qed.
Definition updated (i : nat) (y : R) (u : nat -> R) (k : nat) : R := if Nat.eqb i k then y else u k.
Lemma with_whole_good : forall b i c u y, good c u -> 0 < y -> (b = true -> exists z, y = IZR z) ->
  good (with_whole b i c) (updated i y u).
Proof.
  intros b i c u y (V & N & _) Y W. repeat split; cbn [with_whole whole facts]; try (intros; contradiction).
  - intros k. unfold updated. destruct (Nat.eqb i k); auto.
  - intros k K. unfold updated. destruct (Nat.eqb i k); auto. destruct (W K) as [z Z]. rewrite Z in *. apply lt_IZR in Y.
    exists (Z.to_nat (z - 1)). rewrite INR_IZR_INZ. f_equal. lia.
Qed.
(* One of the three parts describes any given numbers. *)
Lemma covered : forall c u h, good c u -> proper h = true -> exists q v, In q (parts c h) /\
  good (assumed q) v /\ (forall k, k <> replaced q -> u k = v k) /\ pval v (denominator q) <> 0 /\
  u (replaced q) = pval v (numerator q) / pval v (denominator q).
Proof.
  intros c0 u h G P. unfold proper in P. cbv zeta in P. do 4 (apply both_true in P as [P ?]).
  set (x := variable h) in *. assert (U : forall k, 0 < u k) by apply G.
  pose proof (coefficients_positive u U (lead h) P) as A. pose proof (coefficients_positive u U (rest h) H2) as B.
  set (d := pval u (lead h) * u x - pval u (rest h)).
  assert (K : forall i y k, k <> i -> u k = updated i y u k).
  { intros i y k N. unfold updated. destruct (Nat.eqb_spec i k); congruence. }
  assert (K' : forall i y k, k <> i -> updated i y u k = u k) by (intros; symmetry; auto).
  assert (X : forall i y, updated i y u i = y) by (intros; unfold updated; rewrite Nat.eqb_refl; auto).
  assert (L : forall i y p, lacks i p = true -> pval (updated i y u) p = pval u p) by (intros; apply (lacks_ok i); auto).
  assert (W : integral (whole c0) (lead h) <&> integral (whole c0) (rest h) <&> whole c0 x = true -> exists z, d = IZR z).
  { intros I. apply both_true in I as [I I3]. apply both_true in I as [I1 I2].
    destruct (integral_ok c0 u _ G I1) as [a E1]. destruct (integral_ok c0 u _ G I2) as [b E2].
    destruct G as (_ & W & _). destruct (W x I3) as [n E3]. exists (a * Z.of_nat (S n) - b)%Z. unfold d.
    rewrite E1, E2, E3, INR_IZR_INZ, minus_IZR, mult_IZR. auto. }
  unfold parts. cbv zeta. fold x. destruct (Rtotal_order d 0) as [C|[C|C]].
  - destruct (instead h) as [[z c]|] eqn:I.
    + do 4 (apply both_true in H as [H ?]). apply peq_eq in H3. apply negb_true_iff, Nat.eqb_neq in H4.
      eexists _, (updated z (- d) u). split; [right; right; left; reflexivity|]. cbn [assumed replaced numerator denominator].
      pose proof (coefficients_positive u U c H). split; [|split; [|split]]; auto.
      * apply with_whole_good; auto; [lra|]. intros T. destruct (W T) as [a E]. exists (- a)%Z. rewrite opp_IZR, E. auto.
      * rewrite L by auto. lra.
      * rewrite pval_add, pval_mul, !pval_var, X, !L, K' by auto. unfold d. rewrite <- H3, pval_mul, pval_var. field. lra.
    + eexists _, (updated x (pval u (lead h) * u x / - d) u). split; [right; right; left; reflexivity|].
      cbn [assumed replaced numerator denominator].
      assert (Y : 0 < pval u (lead h) * u x / - d) by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; auto | lra]).
      split; [|split; [|split]]; auto.
      * apply with_whole_good; auto. discriminate.
      * rewrite pval_mul, pval_add, pval_one, pval_var, X, L by auto. apply Rgt_not_eq, Rmult_lt_0_compat; lra.
      * rewrite !pval_mul, pval_add, pval_one, pval_var, X, !L by auto. unfold d in *. field.
        repeat split; lra.
  - eexists _, u. split; [right; left; reflexivity|]. cbn [assumed replaced numerator denominator].
    split; [|split; [|split]]; auto; try lra.
    { destruct G as (G1 & G2 & _). repeat split; auto; intros; contradiction. }
    replace (pval u (rest h)) with (pval u (lead h) * u x) by (unfold d in C; lra). field. lra.
  - eexists _, (updated x d u). split; [left; reflexivity|]. cbn [assumed replaced numerator denominator].
    split; [|split; [|split]]; auto.
    + apply with_whole_good; auto.
    + rewrite L by auto. lra.
    + rewrite pval_add, pval_var, X, !L by auto. unfold d. field. lra.
Qed.

(* What is to be decided: from the values of some formulas on some cells, each described by the variables *)
Record reading := Reading { cells_from : list fraction -> nat -> outcome; formula : formulas }.
Inductive answer := Yes | No | Ask (about : list poly).
Definition decision := context -> list outcome -> answer.

Definition fits (v : nat -> R) (t : list fraction) (v' : nat -> R) :=
  forall k, (k < length t)%nat -> v k = fraction_value v' (nth k t zero) /\ sound v' (nth k t zero).
Definition describes (v : nat -> R) n (c : nat -> R) (f : list fraction -> nat -> outcome) :=
  forall t v' w, length t = n -> good w v' -> fits v t v' -> forall k, means v' (f t k) (Some (c k)).
Definition decides (D : decision) (post : list (option R) -> Prop) :=
  forall w v rs xs, good w v -> Forall2 (means v) rs xs -> D w rs = Yes -> post xs.

(* Which splits are tried: those that decide the sign of a polynomial at once, or else those that compare two of its
   terms. Nothing depends on this. *)
Fixpoint variables_of (p : poly) : list nat :=
  match p with
  | [] => []
  | (m, _) :: p' => nodup Nat.eq_dec (flat_map (fun x => match fst x with Var k => [k] | _ => [] end) m ++ variables_of p')
  end.
Definition linear_in (x : nat) (p : poly) : option (poly * poly) :=
  fold_right (fun t r => match r with
    | Some (a, b) => match exponent x (fst t) with
                     | (O, _) => Some (a, t :: b) | (1%nat, m) => Some ((m, snd t) :: a, b) | _ => None end
    | None => None end) (Some ([], [])) p.
Definition other_variable (x : nat) (a b : poly) : option (nat * poly) :=
  match filter (fun z => negb (Nat.eqb x z) <&> lacks z a <&>
    match linear_in z b with Some (c, []) => lacks z c <&> coefficients c | _ => false end) (variables_of b) with
  | z :: _ => match linear_in z b with Some (c, _) => Some (z, c) | None => None end
  | [] => None
  end.
Definition splits_on (p : poly) : list split :=
  flat_map (fun x => match linear_in x p with
    | Some (a, b) =>
        if coefficients a <&> coefficients (popp b) then [Split x a (popp b) (other_variable x a (popp b))]
        else if coefficients (popp a) <&> coefficients b then [Split x (popp a) b (other_variable x (popp a) b)] else []
    | None => [] end) (variables_of p).
Definition simple_first (l : list split) : list split :=
  let '(a, b) := partition (fun h => match instead h, lead h with Some _, [_] => true | _, _ => false end) l in a ++ b.
Definition pairs_of_terms (breadth : nat) (p : poly) : list split :=
  let '(up, down) := partition (fun t => 0 <? snd t)%Z p in
  flat_map (fun t => flat_map (fun u =>
    let g := shared (fst t) (fst u) in
    let m := quotient (fst t) g in let n := quotient (fst u) g in
    match splits_on (psub [(m, 1%Z)] [(n, 1%Z)]) with h :: _ => [h] | [] => [] end) (firstn breadth down)) (firstn breadth up).
Definition same_split (h k : split) : bool :=
  peq (psub (pmul (lead h) (var (variable h))) (rest h)) (psub (pmul (lead k) (var (variable k))) (rest k)) <|>
  peq (psub (pmul (lead h) (var (variable h))) (rest h)) (psub (rest k) (pmul (lead k) (var (variable k)))).
Fixpoint distinct (l : list split) : list split :=
  match l with [] => [] | h :: l' => h :: filter (fun k => negb (same_split h k)) (distinct l') end.
Fixpoint candidates (breadth : nat) (about : list poly) : list split :=
  match about, breadth with
  | p :: about', S _ =>
      let found := if plain p then
        match simple_first (splits_on (divided (content p) p)) with h :: _ => [h] | [] => distinct (pairs_of_terms breadth p) end else [] in
      firstn breadth found ++ candidates (breadth - length found) about'
  | _, _ => []
  end.

Section Settle.
  Variable readings : list reading.
  Variable D : decision.
  Variable breadth : nat.

  Definition refined (q : part) (t : list fraction) : option (list fraction) :=
    match over (assumed q) (numerator q) (denominator q) with
    | Some s => all (number_in_place (assumed q) (replaced q) s) t
    | None => None
    end.
  Definition outcomes whole (t : list fraction) : list outcome :=
    map (fun r => read_measure whole (cells_from r t) (formula r)) readings.
  (* If no split helps, the sign itself is assumed, in three cases. *)
  Definition assume (c : context) (p : poly) (s : comparison) : context := Context (whole c) ((p, s) :: facts c).
  Fixpoint settled (depth : nat) (c : context) (t : list fraction) : bool :=
    match D c (outcomes c t) with
    | Yes => true
    | No => false
    | Ask about =>
        match depth with
        | O => false
        | S d =>
            some (fun h => proper h <&> every (fun q =>
              match refined q t with Some t' => settled d (assumed q) t' | None => false end) (parts c h)) (candidates breadth about)
            <|> match about with p :: _ => every (fun s => settled d (assume c p s) t) [Gt; Eq; Lt] | [] => false end
        end
    end.

  Variable post : list (option R) -> Prop.
  Hypothesis sound_decision : decides D post.
  Variable v : nat -> R.
  Variable cs : list (nat -> R).
  Variable n : nat.
  Hypothesis described : Forall2 (fun r c => describes v n c (cells_from r)) readings cs.

  Lemma refined_ok : forall q t t' u w, good (assumed q) w -> (forall k, k <> replaced q -> u k = w k) ->
    u (replaced q) = pval w (numerator q) / pval w (denominator q) -> fits v t u -> refined q t = Some t' ->
    fits v t' w /\ length t' = length t.
  Proof.
    intros q t t' u w G E X F H. unfold refined in H.
    destruct (over (assumed q) (numerator q) (denominator q)) as [s|] eqn:O; [|discriminate].
    destruct (over_ok _ w _ _ _ G O) as [S1 S2]. rewrite <- S1 in X.
    assert (U : forall k, u k = if Nat.eqb (replaced q) k then fraction_value w s else w k).
    { intros k. destruct (Nat.eqb_spec (replaced q) k); [subst; auto | apply E; auto]. }
    destruct (all_ok _ _ _ zero zero t t' H) as [L A]. split; auto. intros k K. rewrite L in K.
    destruct (F k K) as [F1 F2]. specialize (A k K).
    destruct (number_in_place_ok (assumed q) u w G _ s S2 U _ _ F2 A) as [N1 N2]. split; [congruence | auto].
  Qed.
  Lemma assume_good : forall c p u, good c u -> exists s, In s [Gt; Eq; Lt] /\ good (assume c p s) u.
  Proof.
    intros c p u (V & N & F). destruct (Rtotal_order (pval u p) 0) as [H|[H|H]]; [exists Lt | exists Eq | exists Gt];
      (split; [simpl; auto|]); repeat split; auto; intros q s [E|I]; auto; injection E as <- <-; exact H.
  Qed.
  Theorem settled_ok : forall depth c t u, good c u -> length t = n -> fits v t u ->
    settled depth c t = true -> post (map (fun x => value (fst x) (snd x)) (combine cs (map formula readings))).
  Proof.
    intros depth. induction depth as [|d IH]; intros c t u G N F H; cbn [settled] in H.
    all: assert (M : Forall2 (means u) (outcomes c t) (map (fun x => value (fst x) (snd x)) (combine cs (map formula readings)))).
    1, 3: unfold outcomes; clear - described G N F; induction described; simpl; constructor; auto;
      apply read_measure_ok; auto; intros k; eapply H; eauto.
    all: destruct (D c (outcomes c t)) as [| |about] eqn:E; try discriminate; try (eapply sound_decision; eauto; fail).
    apply one_true in H as [H|H].
    2: { destruct about as [|p about]; [discriminate|]. destruct (assume_good c p u G) as (s & I & GA).
      rewrite every_forall in H. specialize (H s I). eapply IH; eauto. }
    - apply some_exists in H as (h & _ & H). apply both_true in H as [P H]. rewrite every_forall in H.
      destruct (covered c u h G P) as (q & w & I & GW & A & _ & X). specialize (H q I).
      destruct (refined q t) as [t'|] eqn:R_; [|discriminate]. destruct (refined_ok q t t' u w GW A X F R_) as [F' L].
      apply (IH (assumed q) t' w); auto. congruence.
  Qed.
End Settle.
