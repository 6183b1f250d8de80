(* Values: a polynomial over a number, times rational powers of positive polynomials. *)
From Coq Require Import Reals ZArith QArith Qreals List Bool Lra Lia.
From Goodmeasure Require Import Tree Polynomials Signs.
Import ListNotations.
Local Open Scope R_scope.

Notation powers := (list (poly * Q)).
Record fraction := Fraction { above : poly; below : positive; factors : powers }.

Fixpoint powers_value (v : nat -> R) (l : powers) : R :=
  match l with [] => 1 | (f, e) :: l' => Rpower (pval v f) (Q2R e) * powers_value v l' end.
Definition fraction_value v x := pval v (above x) / IZR (Zpos (below x)) * powers_value v (factors x).
Definition sound_powers (v : nat -> R) (l : powers) := Forall (fun t => 0 < pval v (fst t)) l.
Definition sound v x := sound_powers v (factors x).

(* Products of powers *)

Definition plus_power (f : poly) (e : Q) (l : powers) : powers := if (Qnum e =? 0)%Z then l else (f, e) :: l.
Fixpoint powers_mul (l : powers) : powers -> powers :=
  match l with
  | [] => fun r => r
  | (f, e) :: l' => fix with_l (r : powers) : powers :=
      match r with
      | [] => l
      | (g, d) :: r' =>
          match pcmp f g with
          | Eq => plus_power f (Qred (e + d)) (powers_mul l' r')
          | Lt => (f, e) :: powers_mul l' r
          | Gt => (g, d) :: with_l r'
          end
      end
  end.
Definition powers_pow (q : Q) (l : powers) : powers := map (fun t => (fst t, Qred (snd t * q))) l.
Definition powers_inv (l : powers) : powers := powers_pow (-1 # 1) l.
(* The part that two products share: the lesser of both exponents, where 0 is the exponent of what is not there *)
Definition lesser (e d : Q) : Q := if Qle_bool e d then e else d.
Definition if_negative (f : poly) (e : Q) (l : powers) : powers := if (Qnum e <? 0)%Z then (f, e) :: l else l.
Fixpoint powers_min (l : powers) : powers -> powers :=
  match l with
  | [] => fun r => fold_right (fun t => if_negative (fst t) (snd t)) [] r
  | (f, e) :: l' => fix with_l (r : powers) : powers :=
      match r with
      | [] => fold_right (fun t => if_negative (fst t) (snd t)) [] l
      | (g, d) :: r' =>
          match pcmp f g with
          | Eq => plus_power f (lesser e d) (powers_min l' r')
          | Lt => if_negative f e (powers_min l' r)
          | Gt => if_negative g d (with_l r')
          end
      end
  end.
(* A product of powers with exponents >= 0 as a polynomial with roots *)
Definition expanded_power (f : poly) (e : Q) : poly :=
  let '(k, j) := Z.div_eucl (Qnum e) (Zpos (Qden e)) in
  let p := ppow f (Z.to_nat k) in
  match j with Zpos j' => pmul [([(Of (Rooted (Qden e)) f one, j')], 1%Z)] p | _ => p end.
Fixpoint expanded (l : powers) : option poly :=
  match l with
  | [] => Some one
  | (f, e) :: l' =>
      if (Qnum e <? 0)%Z then None else
      match expanded l' with
      | Some p => match p with [([], 1%Z)] => Some (expanded_power f e) | _ => Some (times (expanded_power f e) p) end
      | None => None
      end
  end.

Section Powers.
  Variable v : nat -> R.
  Lemma Q2R_red : forall q, Q2R (Qred q) = Q2R q.
  Proof. intros. apply Qeq_eqR, Qred_correct. Qed.
  Lemma one_exponent : Q2R 1%Q = 1.
  Proof. unfold Q2R. simpl. field. Qed.
  Lemma Rpower_0 : forall x, Rpower x 0 = 1.
  Proof. intros. unfold Rpower. rewrite Rmult_0_l. apply exp_0. Qed.
  Lemma zero_exponent : forall (e : Q), Qnum e = 0%Z -> Q2R e = 0.
  Proof. intros e H. unfold Q2R. rewrite H. ring. Qed.
  Lemma powers_positive : forall l, 0 < powers_value v l.
  Proof. induction l as [|[f e] l IH]; simpl; [lra|]. apply Rmult_lt_0_compat; auto. apply exp_pos. Qed.
  Lemma plus_power_ok : forall f e l, powers_value v (plus_power f e l) = Rpower (pval v f) (Q2R e) * powers_value v l.
  Proof.
    intros. unfold plus_power. destruct (Z.eqb_spec (Qnum e) 0); auto. rewrite zero_exponent, Rpower_0 by auto. ring.
  Qed.
  Lemma powers_mul_ok : forall l r, powers_value v (powers_mul l r) = powers_value v l * powers_value v r.
  Proof.
    induction l as [|[f e] l IH]; intros r. { simpl. ring. }
    induction r as [|[g d] r IHr]. { simpl. ring. }
    cbn [powers_mul]. destruct (pcmp f g) eqn:E.
    - apply pcmp_eq in E. subst. rewrite plus_power_ok, IH, Q2R_red, Q2R_plus, Rpower_plus. simpl. ring.
    - cbn [powers_value]. rewrite IH. cbn [powers_value]. ring.
    - cbn [powers_value]. cbn [powers_mul] in IHr. rewrite IHr. cbn [powers_value]. ring.
  Qed.
  Lemma powers_pow_ok : forall q l, powers_value v (powers_pow q l) = Rpower (powers_value v l) (Q2R q).
  Proof.
    unfold powers_pow. induction l as [|[f e] l IH]; cbn [map powers_value fst snd].
    { unfold Rpower. rewrite ln_1, Rmult_0_r, exp_0. auto. }
    rewrite IH, Q2R_red, Q2R_mult, <- Rpower_mult, Rpower_mult_distr; auto. { apply exp_pos. } apply powers_positive.
  Qed.
  Lemma powers_inv_ok : forall l, powers_value v (powers_inv l) = / powers_value v l.
  Proof.
    intros. unfold powers_inv. rewrite powers_pow_ok. replace (Q2R (-1 # 1)) with (- (1)) by (unfold Q2R; simpl; lra).
    rewrite Rpower_Ropp, Rpower_1; auto. apply powers_positive.
  Qed.

  Lemma sound_plus : forall f e l, 0 < pval v f -> sound_powers v l -> sound_powers v (plus_power f e l).
  Proof. intros. unfold plus_power. destruct (_ =? _)%Z; auto. constructor; auto. Qed.
  Lemma sound_mul : forall l r, sound_powers v l -> sound_powers v r -> sound_powers v (powers_mul l r).
  Proof.
    induction l as [|[f e] l IH]; intros r L R_; auto. inversion L; subst.
    induction r as [|[g d] r IHr]; auto. inversion R_; subst. cbn [powers_mul fst] in *. destruct (pcmp f g).
    - apply sound_plus; [auto | apply IH; auto].
    - constructor; [auto | apply IH; auto].
    - constructor; [auto | apply IHr; auto].
  Qed.
  Lemma sound_pow : forall q l, sound_powers v l -> sound_powers v (powers_pow q l).
  Proof. intros q l H. unfold powers_pow. apply Forall_map. eapply Forall_impl; [|exact H]. auto. Qed.
  Lemma sound_if_negative : forall f e l, 0 < pval v f -> sound_powers v l -> sound_powers v (if_negative f e l).
  Proof. intros. unfold if_negative. destruct (_ <? _)%Z; auto. constructor; auto. Qed.
  Lemma sound_min : forall l r, sound_powers v l -> sound_powers v r -> sound_powers v (powers_min l r).
  Proof.
    assert (F : forall l, sound_powers v l -> sound_powers v (fold_right (fun t => if_negative (fst t) (snd t)) [] l)).
    { induction l as [|[f e] l IH]; intros H; auto. inversion H; subst. apply sound_if_negative; [auto | apply IH; auto]. }
    induction l as [|[f e] l IH]; intros r L R_. { simpl. apply F; auto. } inversion L; subst.
    induction r as [|[g d] r IHr]. { cbn [powers_min]. apply F; auto. } inversion R_; subst. cbn [powers_min].
    destruct (pcmp f g).
    - apply sound_plus; [auto | apply IH; auto].
    - apply sound_if_negative; [auto | apply IH; auto].
    - apply sound_if_negative; [auto | apply IHr; auto].
  Qed.
  Lemma root_power : forall d f, 0 < pval v f -> symbol_value v (Of (Rooted d) f one) = Rpower (pval v f) (/ IZR (Zpos d)).
  Proof.
    intros d f F. rewrite symbol_of, pval_one. unfold Rdiv. rewrite Rinv_1, Rmult_1_r. cbn [apply_function]. unfold root.
    destruct (Rlt_dec 0 (pval v f)); [auto | contradiction].
  Qed.
  Lemma expanded_power_ok : forall f e, 0 < pval v f -> (Qnum e <? 0)%Z = false ->
    pval v (expanded_power f e) = Rpower (pval v f) (Q2R e).
  Proof.
    intros f [n d] F N. apply Z.ltb_ge in N. cbn [Qnum] in N. unfold expanded_power. cbn [Qnum Qden].
    pose proof (Z_div_mod n (Zpos d) ltac:(reflexivity)) as S. destruct (Z.div_eucl n (Zpos d)) as [k j]. destruct S as [S J].
    assert (K : (0 <= k)%Z) by nia.
    assert (D : IZR (Zpos d) <> 0) by (apply IZR_neq; discriminate).
    assert (E : Q2R (n # d) = INR (Z.to_nat k) + IZR j / IZR (Zpos d)).
    { unfold Q2R. cbn [Qnum Qden]. rewrite S, plus_IZR, mult_IZR, INR_IZR_INZ, Z2Nat.id by auto. field. auto. }
    rewrite E, Rpower_plus, Rpower_pow by auto. destruct j as [|j|j]; [| |lia].
    - unfold Rdiv. rewrite Rmult_0_l, Rpower_0, pval_pow. ring.
    - rewrite pval_mul, pval_pow, pval_cons, mval_cons, mval_nil, pval_nil, root_power by auto.
      rewrite <- Rpower_pow by apply exp_pos. rewrite Rpower_mult, INR_IZR_INZ, positive_nat_Z.
      replace (/ IZR (Zpos d) * IZR (Zpos j)) with (IZR (Zpos j) / IZR (Zpos d)) by (unfold Rdiv; ring). ring.
  Qed.
  Hypothesis V : forall k, 0 < v k.
  Lemma expanded_ok : forall l p, sound_powers v l -> expanded l = Some p -> pval v p = powers_value v l.
  Proof.
    induction l as [|[f e] l IH]; intros p L H; cbn [expanded] in H. { injection H as <-. apply pval_one. }
    inversion L; subst. destruct (Qnum e <? 0)%Z eqn:N; [discriminate|]. destruct (expanded l) as [q|]; [|discriminate].
    cbn [powers_value]. rewrite <- (IH q), <- expanded_power_ok by auto.
    assert (D : Some (times (expanded_power f e) q) = Some p -> pval v p = pval v (expanded_power f e) * pval v q).
    { intros T. injection T as <-. apply times_ok; auto. }
    destruct q as [|[[|] [|[| |]|]] [|]]; auto. injection H as <-.
    rewrite pval_cons, mval_nil, pval_nil. ring.
  Qed.
End Powers.

(* Simplification: numbers are cancelled, common factors and positive polynomials become powers. *)

Definition divided (g : Z) (p : poly) : poly := map (fun t => (fst t, (snd t / g)%Z)) p.
Definition divides (g : Z) (p : poly) : bool := (0 <? g)%Z <&> every (fun t => (snd t mod g =? 0)%Z) p.

Definition zero : fraction := Fraction [] 1 [].
Definition number (c : Z) (d : positive) : fraction := Fraction (const c) d [].
Definition unit : fraction := Fraction one 1 [].

Definition without_numbers (x : fraction) : fraction :=   (* the numbers above and below have no common factor *)
  let g := Z.gcd (content (above x)) (Zpos (below x)) in
  if (1 <? g)%Z <&> divides g (above x) <&> (Zpos (below x) mod g =? 0)%Z
  then Fraction (divided g (above x)) (Z.to_pos (Zpos (below x) / g)) (factors x) else x.

Fixpoint shared (m : monomial) : monomial -> monomial :=
  match m with
  | [] => fun _ => []
  | (g, e) :: m' => fix with_m (n : monomial) : monomial :=
      match n with
      | [] => []
      | (h, d) :: n' =>
          match symbol_cmp g h with
          | Eq => (g, Pos.min e d) :: shared m' n' | Lt => shared m' n | Gt => with_m n'
          end
      end
  end.
Fixpoint quotient (m n : monomial) : monomial :=
  match n with
  | [] => m
  | (h, d) :: n' =>
      match m with
      | [] => []
      | (g, e) :: m' =>
          match symbol_cmp g h with
          | Eq => if (d <? e)%positive then (g, (e - d)%positive) :: quotient m' n' else quotient m' n'
          | _ => (g, e) :: quotient m' n
          end
      end
  end.
Definition common (p : poly) : monomial :=
  match p with
  | [] => []
  | t :: p' => filter (fun x => sure (fst x)) (fold_left (fun m u => match m with [] => [] | _ => shared m (fst u) end) p' (fst t))
  end.
Definition power_of (g : symbol) (e : positive) : poly * Q :=
  match root_of g with Some (d, f) => (f, Zpos e # d) | None => (single g, Zpos e # 1) end.
Definition powers_of (m : monomial) : powers :=
  fold_right (fun x l => powers_mul [power_of (fst x) (snd x)] l) [] m.
Definition without_common (x : fraction) : fraction :=
  match common (above x) with
  | [] => x
  | m => let p := map (fun t => (quotient (fst t) m, snd t)) (above x) in
         if sure_monomial m <&> peq (pscale m 1 p) (above x)
         then Fraction p (below x) (powers_mul (powers_of m) (factors x)) else x
  end.

Definition with_power (p : poly) (c : Z) (x : fraction) : fraction :=   (* p becomes a power, c is left *)
  let g := content p in
  if divides g p then Fraction [([], (c * g)%Z)] (below x) (powers_mul [(divided g p, 1%Q)] (factors x)) else x.
Definition with_powers (x : fraction) : fraction :=
  match above x with
  | _ :: _ :: _ =>
      if coefficients (above x) then with_power (above x) 1 x
      else if coefficients (popp (above x)) then with_power (popp (above x)) (-1) x else x
  | _ => x
  end.

(* Powers of numbers: what is whole of the exponent is computed. *)
Fixpoint numbers (l : powers) : Z * positive * powers :=
  match l with
  | [] => (1%Z, 1%positive, [])
  | (f, e) :: l' =>
      let '(a, b, r) := numbers l' in
      match f with
      | [([], Zpos c)] =>
          let '(k, j) := Z.div_eucl (Qnum e) (Zpos (Qden e)) in
          let rest := match j with Z0 => r | _ => (f, Qred (j # Qden e)) :: r end in
          match k with
          | Z0 => (a, b, rest)
          | Zpos n => ((a * Z.pow_pos (Zpos c) n)%Z, b, rest)
          | Zneg n => (a, (b * Pos.pow c n)%positive, rest)
          end
      | _ => (a, b, (f, e) :: r)
      end
  end.
Definition is_number (t : poly * Q) : bool := match fst t with [([], Zpos _)] => true | _ => false end.
Definition without_powers (x : fraction) : fraction :=
  if some is_number (factors x) then
    let '(a, b, l) := numbers (factors x) in Fraction (pscale [] a (above x)) (below x * b) l
  else x.

(* Exact division of polynomials, to see that one factor is a multiple of another one *)
Definition several_terms (p : poly) : bool := match p with _ :: _ :: _ => true | _ => false end.
Definition term_quotient (t u : monomial * Z) : option (monomial * Z) :=
  let m := quotient (fst t) (fst u) in
  if (snd t mod snd u =? 0)%Z <&> (match mcmp (mmul m (fst u)) (fst t) with Eq => true | _ => false end)
  then Some (m, (snd t / snd u)%Z) else None.
Fixpoint division (steps : nat) (p q : poly) : option poly :=
  match p, q, steps with
  | [], _, _ => Some []
  | t :: _, u :: _, S n =>
      match term_quotient t u with
      | Some w => match division n (psub p (pscale (fst w) (snd w) q)) q with Some r => Some (w :: r) | None => None end
      | None => None
      end
  | _, _, _ => None
  end.
Definition divisor (p q : poly) : option poly :=     (* r with p = q * r *)
  match division 12 p q with Some r => if peq (pmul q r) p then Some r else None | None => None end.
Fixpoint first_multiple (l r : powers) : option (poly * Q * poly * poly) :=    (* f, its exponent, and g, h with f = g * h *)
  match l with
  | [] => None
  | (f, e) :: l' =>
      match (if several_terms f then
               fold_right (fun t found => match found with Some _ => found | None =>
                 if several_terms (fst t) <&> (Qnum e * Qnum (snd t) <? 0)%Z <&> (length (fst t) <? length f)%nat
                 then match divisor f (fst t) with Some h => Some (f, e, fst t, h) | None => None end else None end) None r
             else None) with
      | Some x => Some x
      | None => first_multiple l' r
      end
  end.
Fixpoint without_multiples (steps : nat) (l : powers) : powers :=
  match steps with
  | O => l
  | S n =>
      match first_multiple l l with
      | Some (f, e, g, h) =>
          without_multiples n (powers_mul (powers_mul [(g, Qred e)] (powers_mul [(h, Qred e)] [(f, Qred (-e))])) l)
      | None => l
      end
  end.
Definition without_divisors (x : fraction) : fraction := Fraction (above x) (below x) (without_multiples 4 (factors x)).
Definition simplified (x : fraction) : fraction :=
  match above x with
  | [] => zero
  | _ => without_divisors (without_numbers (with_powers (without_common (without_powers x))))
  end.

Section Simplified.
  Variable v : nat -> R.
  Hypothesis V : forall k, 0 < v k.
  Definition same x y := fraction_value v x = fraction_value v y /\ sound v x.
  Lemma IZR_pos : forall d, 0 < IZR (Zpos d).
  Proof. intros. apply IZR_lt. reflexivity. Qed.
  Lemma pval_divided : forall g p, divides g p = true -> pval v p = IZR g * pval v (divided g p).
  Proof.
    intros g p H. apply both_true in H as [G H]. apply Z.ltb_lt in G. unfold divided.
    induction p as [|[m c] p IH]; cbn [map fst snd]. { rewrite pval_nil. ring. }
    apply both_true in H as [H1 H2]. apply Z.eqb_eq in H1. cbn [snd] in H1. rewrite !pval_cons, IH by auto.
    pose proof (Z.div_mod c g ltac:(lia)) as D. rewrite H1, Z.add_0_r in D.
    assert (E : IZR c = IZR g * IZR (c / g)) by (rewrite <- mult_IZR; f_equal; exact D). rewrite E. ring.
  Qed.
  Lemma zero_ok : fraction_value v zero = 0 /\ sound v zero.
  Proof. unfold fraction_value, zero; cbn [above below factors powers_value]. rewrite pval_nil. split; [lra | constructor]. Qed.
  Lemma number_ok : forall c d, fraction_value v (number c d) = IZR c / IZR (Zpos d) /\ sound v (number c d).
  Proof.
    intros. unfold fraction_value, number; cbn [above below factors powers_value]. rewrite pval_const.
    split; [ring | constructor].
  Qed.
  Lemma unit_ok : fraction_value v unit = 1 /\ sound v unit.
  Proof.
    unfold fraction_value, unit; cbn [above below factors powers_value]. rewrite pval_one. split; [lra | constructor].
  Qed.
  Lemma without_numbers_ok : forall x, sound v x -> same (without_numbers x) x.
  Proof.
    intros x S. unfold without_numbers. cbv zeta. set (g := Z.gcd _ _). clearbody g.
    destruct ((1 <? g)%Z <&> divides g (above x) <&> (Zpos (below x) mod g =? 0)%Z) eqn:H; [|split; auto].
    apply both_true in H as [H D]. apply both_true in H as [G P]. apply Z.ltb_lt in G. apply Z.eqb_eq in D.
    split; auto. unfold fraction_value; cbn [above below factors]. rewrite (pval_divided g (above x) P).
    pose proof (Z.div_mod (Zpos (below x)) g ltac:(lia)) as E. rewrite D, Z.add_0_r in E.
    assert (Q : (0 < Zpos (below x) / g)%Z) by nia. rewrite Z2Pos.id by auto.
    assert (B : IZR (Zpos (below x)) = IZR g * IZR (Zpos (below x) / g)) by (rewrite <- mult_IZR; f_equal; exact E).
    rewrite B. apply IZR_lt in Q. assert (0 < IZR g) by (apply IZR_lt; lia). field. lra.
  Qed.
  Lemma power_of_ok : forall g e, sure g = true -> 0 < pval v (fst (power_of g e)) /\
    Rpower (pval v (fst (power_of g e))) (Q2R (snd (power_of g e))) = symbol_value v g ^ Pos.to_nat e.
  Proof.
    intros g e G. pose proof (sure_positive v V g G) as P. unfold power_of. destruct (root_of g) as [[d f]|] eqn:R_; cbn [fst snd].
    - destruct (root_of_ok v g d f V R_) as (_ & F & _). split; auto.
      destruct g as [|[c| | | | |] p q]; try discriminate. cbn [root_of] in R_.
      destruct (peq q one <&> coefficients p) eqn:A; [|discriminate]. injection R_ as -> ->. apply both_true in A as [A _].
      apply peq_eq in A. subst q. rewrite root_power by auto. rewrite <- Rpower_pow by apply exp_pos.
      rewrite Rpower_mult. f_equal. unfold Q2R. cbn [Qnum Qden]. rewrite INR_IZR_INZ, positive_nat_Z. ring.
    - rewrite pval_single. split; auto. rewrite <- Rpower_pow by auto. f_equal. unfold Q2R. cbn [Qnum Qden].
      rewrite INR_IZR_INZ, positive_nat_Z. field.
  Qed.
  Lemma powers_of_ok : forall m, sure_monomial m = true -> sound_powers v (powers_of m) /\ powers_value v (powers_of m) = mval v m.
  Proof.
    unfold sure_monomial, powers_of. induction m as [|[g e] m IH]; intros H. { split; [constructor | reflexivity]. }
    apply both_true in H as [H1 H2]. cbn [fst] in H1. destruct (IH H2) as [S E]. destruct (power_of_ok g e H1) as [A B].
    cbn [fold_right fst snd]. split.
    - apply sound_mul; auto. constructor; [auto | constructor].
    - rewrite powers_mul_ok, E, mval_cons, <- B. destruct (power_of g e). cbn [powers_value fst snd]. ring.
  Qed.
  Lemma without_common_ok : forall x, sound v x -> same (without_common x) x.
  Proof.
    intros x S. unfold without_common. destruct (common (above x)) as [|t m'] eqn:C; [split; auto|].
    set (m := t :: m') in *. clearbody m. set (r := map _ (above x)). clearbody r.
    cbv zeta. destruct (sure_monomial m <&> _) eqn:H; [|split; auto].
    apply both_true in H as [M P]. apply peq_eq in P. destruct (powers_of_ok m M) as [A B].
    split; [|apply sound_mul; auto]. unfold fraction_value; cbn [above below factors].
    rewrite powers_mul_ok, B, <- P, pval_scale. unfold Rdiv. ring.
  Qed.
  Lemma with_power_ok : forall p c x, sound v x -> coefficients p = true -> pval v (above x) = IZR c * pval v p ->
    same (with_power p c x) x.
  Proof.
    intros p c x S C E. unfold with_power. cbv zeta. destruct (divides (content p) p) eqn:D; [|split; auto].
    pose proof (pval_divided _ _ D) as Q. apply (coefficients_positive v V) in C. apply both_true in D as [D _].
    apply Z.ltb_lt, IZR_lt in D. set (r := divided (content p) p) in *. set (g := content p) in *. clearbody r g.
    assert (0 < pval v r). { rewrite Q in C. apply Rmult_lt_reg_l with (IZR g); auto. lra. }
    split; [|apply (sound_mul v [(r, 1%Q)]); auto; constructor; auto; constructor]. unfold fraction_value; cbn [above below factors].
    rewrite powers_mul_ok, pval_cons, mval_nil, pval_nil, mult_IZR, E, Q. cbn [powers_value].
    rewrite one_exponent. rewrite Rpower_1 by auto. unfold Rdiv. ring.
  Qed.
  Lemma with_powers_ok : forall x, sound v x -> same (with_powers x) x.
  Proof.
    intros x S. unfold with_powers. destruct (above x) as [|t [|u p]] eqn:E; try (split; auto; fail). rewrite <- E.
    destruct (coefficients (above x)) eqn:A. { apply with_power_ok; auto. ring. }
    destruct (coefficients (popp (above x))) eqn:B; [|split; auto]. apply with_power_ok; auto. rewrite pval_opp. ring.
  Qed.
  Lemma pow_pos_IZR : forall c k, IZR (Z.pow_pos (Zpos c) k) = Rpower (IZR (Zpos c)) (IZR (Zpos k)).
  Proof.
    intros. change (Z.pow_pos (Zpos c) k) with (Zpos c ^ Zpos k)%Z. rewrite <- (positive_nat_Z k).
    rewrite <- pow_IZR, <- Rpower_pow, INR_IZR_INZ by apply IZR_pos. reflexivity.
  Qed.
  Lemma numbers_ok : forall l a b r, sound_powers v l -> numbers l = (a, b, r) ->
    sound_powers v r /\ powers_value v l = IZR a / IZR (Zpos b) * powers_value v r.
  Proof.
    induction l as [|[f e] l IH]; intros a b r S H; cbn [numbers] in H.
    { injection H as <- <- <-. split; auto. simpl. field. }
    inversion S; subst. cbn [fst] in H2. destruct (numbers l) as [[a' b'] r']. destruct (IH a' b' r' H3 eq_refl) as [I1 I2].
    assert (D : (a', b', (f, e) :: r') = (a, b, r) -> sound_powers v r /\
      powers_value v ((f, e) :: l) = IZR a / IZR (Zpos b) * powers_value v r).
    { intros T. injection T as <- <- <-. split; [constructor; auto|]. cbn [powers_value]. rewrite I2. ring. }
    destruct f as [|[[|t m] [|c|c]] [|]]; auto. clear D.
    destruct e as [n d]. cbn [Qnum Qden] in H. pose proof (Z_div_mod n (Zpos d) ltac:(reflexivity)) as Z.
    destruct (Z.div_eucl n (Zpos d)) as [k j]. destruct Z as [Z J].
    set (f := [([], Zpos c)]) in *. assert (F : pval v f = IZR (Zpos c)) by (unfold f; rewrite pval_cons, mval_nil, pval_nil; ring).
    assert (NZ : IZR (Zpos d) <> 0) by (apply IZR_neq; discriminate). pose proof (IZR_pos c) as CP. pose proof (IZR_pos b') as BP.
    set (rest := match j with Z0 => r' | _ => (f, Qred (j # d)) :: r' end) in *.
    assert (R_ : sound_powers v rest /\ powers_value v rest = Rpower (IZR (Zpos c)) (IZR j / IZR (Zpos d)) * powers_value v r').
    { unfold rest. destruct j as [|j|j]; [|split; [constructor; auto|]|split; [constructor; auto|]].
      - split; auto. unfold Rdiv. rewrite Rmult_0_l, Rpower_0. ring.
      - cbn [powers_value]. rewrite Q2R_red, F. unfold Q2R. cbn [Qnum Qden]. reflexivity.
      - cbn [powers_value]. rewrite Q2R_red, F. unfold Q2R. cbn [Qnum Qden]. reflexivity. }
    destruct R_ as [R1 R2].
    assert (E : powers_value v ((f, n # d) :: l) =
      Rpower (IZR (Zpos c)) (IZR k) * (IZR a' / IZR (Zpos b')) * powers_value v rest).
    { cbn [powers_value]. rewrite F, I2, R2. replace (Q2R (n # d)) with (IZR k + IZR j / IZR (Zpos d)).
      2: { unfold Q2R. cbn [Qnum Qden]. rewrite Z, plus_IZR, mult_IZR. field. auto. }
      rewrite Rpower_plus. ring. }
    rewrite E. destruct k as [|k|k]; injection H as <- <- <-; (split; [auto|]).
    - rewrite Rpower_0. ring.
    - rewrite mult_IZR, pow_pos_IZR. unfold Rdiv. ring.
    - replace (IZR (Zneg k)) with (- IZR (Zpos k)) by (rewrite <- opp_IZR; reflexivity).
      rewrite Rpower_Ropp, Pos2Z.inj_mul, mult_IZR.
      rewrite <- pow_pos_IZR. change (Z.pow_pos (Zpos c) k) with (Zpos c ^ Zpos k)%Z. rewrite <- Pos2Z.inj_pow.
      pose proof (IZR_pos (c ^ k)). field. lra.
  Qed.
  Lemma without_powers_ok : forall x, sound v x -> same (without_powers x) x.
  Proof.
    intros x S. unfold without_powers. destruct (some is_number (factors x)); [|split; auto].
    destruct (numbers (factors x)) as [[a b] l] eqn:N. destruct (numbers_ok _ _ _ _ S N) as [A B]. split; auto.
    unfold fraction_value; cbn [above below factors]. rewrite B, pval_scale, mval_nil, Pos2Z.inj_mul, mult_IZR.
    pose proof (IZR_pos b). pose proof (IZR_pos (below x)). field. lra.
  Qed.
  Lemma first_multiple_ok : forall l r f e g h, first_multiple l r = Some (f, e, g, h) ->
    In (f, e) l /\ (exists d, In (g, d) r) /\ f = pmul g h.
  Proof.
    induction l as [|[f0 e0] l IH]; intros r f e g h H; cbn [first_multiple] in H; [discriminate|].
    destruct (if several_terms f0 then _ else None) as [x|] eqn:X.
    - injection H as ->. destruct (several_terms f0); [|discriminate]. clear IH. induction r as [|[g0 d] r IHr]; [discriminate|].
      cbn [fold_right fst snd] in X. destruct (fold_right _ None r) as [y|] eqn:Y.
      + injection X as ->. destruct (IHr eq_refl) as (A & (d' & B) & C). repeat split; auto. exists d'. right; auto.
      + destruct (several_terms g0 <&> _ <&> _); [|discriminate]. unfold divisor in X.
        destruct (division 12 f0 g0) as [q|]; [|discriminate]. destruct (peq (pmul g0 q) f0) eqn:P; [|discriminate].
        injection X as <- <- <- <-. apply peq_eq in P. repeat split; auto. { left; auto. } exists d. left; auto.
    - destruct (IH r f e g h H) as (A & B & C). repeat split; auto. right; auto.
  Qed.
  Lemma without_multiples_ok : forall n l, sound_powers v l ->
    sound_powers v (without_multiples n l) /\ powers_value v (without_multiples n l) = powers_value v l.
  Proof.
    induction n as [|n IH]; intros l L; cbn [without_multiples]; auto.
    destruct (first_multiple l l) as [[[[f e] g] h]|] eqn:F; auto. destruct (first_multiple_ok _ _ _ _ _ _ F) as (A & (d & B) & C).
    unfold sound_powers in L. rewrite Forall_forall in L. pose proof (L _ A) as PF. pose proof (L _ B) as PG. cbn [fst] in PF, PG.
    rewrite <- Forall_forall in L. assert (PH : 0 < pval v h).
    { rewrite C, pval_mul in PF. apply Rmult_lt_reg_l with (pval v g); auto. lra. }
    assert (S : forall p q, 0 < pval v p -> sound_powers v [(p, q)]) by (intros; constructor; [auto | constructor]).
    edestruct IH as [I1 I2]; [|split; [exact I1 | rewrite I2]].
    { apply sound_mul; auto. apply sound_mul; auto. apply sound_mul; auto. }
    rewrite !powers_mul_ok. cbn [powers_value]. rewrite !Q2R_red, Q2R_opp, Rpower_Ropp, C, pval_mul, <- Rpower_mult_distr by auto.
    assert (0 < Rpower (pval v g) (Q2R e)) by apply exp_pos. assert (0 < Rpower (pval v h) (Q2R e)) by apply exp_pos.
    rewrite !Rmult_1_r. field. lra.
  Qed.
  Lemma simplified_ok : forall x, sound v x -> same (simplified x) x.
  Proof.
    intros x S. unfold simplified. destruct (above x) eqn:E.
    { split; [|apply zero_ok]. destruct zero_ok as [Z _]. rewrite Z. unfold fraction_value. rewrite E, pval_nil. unfold Rdiv. ring. }
    destruct (without_powers_ok x S) as [A1 A2]. destruct (without_common_ok _ A2) as [B1 B2].
    destruct (with_powers_ok _ B2) as [C1 C2]. destruct (without_numbers_ok _ C2) as [D1 D2].
    destruct (without_multiples_ok 4 _ D2) as [F1 F2]. split; auto. unfold without_divisors, fraction_value in *.
    cbn [above below factors]. rewrite F2. congruence.
  Qed.
End Simplified.

(* Arithmetic. Where None is returned, nothing is known. *)

Definition divided_powers (l c : powers) : powers := match c with [] => l | _ => powers_mul l (powers_inv c) end.
Definition add (x y : fraction) : option fraction :=
  match above x, above y with
  | [], _ => Some y
  | _, [] => Some x
  | p, q =>
      let c := powers_min (factors x) (factors y) in
      match expanded (divided_powers (factors x) c), expanded (divided_powers (factors y) c) with
      | Some ex, Some ey =>
          let p := times p ex in let q := times q ey in
          Some (simplified
            (if Pos.eqb (below x) (below y) then Fraction (padd p q) (below x) c
             else Fraction (padd (pscale [] (Zpos (below y)) p) (pscale [] (Zpos (below x)) q)) (below x * below y) c))
      | _, _ => None
      end
  end.
Definition opp (x : fraction) : fraction := Fraction (popp (above x)) (below x) (factors x).
Definition sub (x y : fraction) : option fraction := add x (opp y).
Definition mul (x y : fraction) : fraction :=
  simplified (Fraction (times (above x) (above y)) (below x * below y) (powers_mul (factors x) (factors y))).

(* A value whose sign is known is plus or minus a number times powers. *)
Record monic := Monic { is : comparison; size : positive; others : powers }.
Definition as_power (s : comparison) (p : poly) (l : powers) : option monic :=
  match content p with
  | Zpos g => if divides (Zpos g) p then Some (Monic s g (powers_mul [(divided (Zpos g) p, 1%Q)] l)) else None
  | _ => None
  end.
Definition monic_of (fuel : nat) (whole : context) (x : fraction) : option monic :=
  match above x with
  | [([], Zpos c)] => Some (Monic Gt c (factors x))
  | [([], Zneg c)] => Some (Monic Lt c (factors x))
  | p => match sign fuel whole p with
         | [Gt] => as_power Gt p (factors x) | [Lt] => as_power Lt (popp p) (factors x) | _ => None
         end
  end.
Definition inverse fuel whole (x : fraction) : option fraction :=
  match monic_of fuel whole x with
  | Some m => Some (simplified (Fraction [([], match is m with Lt => Zneg (below x) | _ => Zpos (below x) end)] (size m)
                                         (powers_inv (others m))))
  | None => None
  end.

(* Numbers as products of powers of primes, as far as small primes go *)
Fixpoint prime_powers (fuel : nat) (p n : positive) : powers :=
  match fuel, n with
  | _, xH => []
  | O, _ => [([([], Zpos n)], 1%Q)]
  | S fuel', _ =>
      if (n <? p * p)%positive then [([([], Zpos n)], 1%Q)]
      else if (Zpos n mod Zpos p =? 0)%Z
           then powers_mul [([([], Zpos p)], 1%Q)] (prime_powers fuel' p (Z.to_pos (Zpos n / Zpos p)))
           else prime_powers fuel' (p + 1) n
  end.
Definition number_powers (n : positive) : powers :=
  let l := prime_powers 100 2 n in
  match numbers l with
  | (Zpos a, 1%positive, []) => if Pos.eqb a n then l else [([([], Zpos n)], 1%Q)]
  | _ => [([([], Zpos n)], 1%Q)]
  end.
Definition all_powers (x : fraction) (m : monic) : powers :=
  powers_mul (powers_mul (number_powers (size m)) (powers_inv (number_powers (below x)))) (others m).

Definition root_of_fraction fuel whole (d : positive) (x : fraction) : option fraction :=
  match sign fuel whole (above x), monic_of fuel whole x with
  | [Eq], _ => Some zero
  | [Gt], Some m => Some (simplified (Fraction one 1 (powers_pow (1 # d) (all_powers x m))))
  | _, _ => None
  end.
Fixpoint sum_of_logs (l : powers) : fraction :=
  match l with
  | [] => zero
  | (f, e) :: l' =>
      let s := sum_of_logs l' in
      Fraction (padd (pscale [] (Zpos (Qden e)) (above s)) (pscale [] (Qnum e * Zpos (below s)) (log_poly f)))
               (below s * Qden e) []
  end.
Definition log_of_fraction fuel whole (x : fraction) : option fraction :=
  match sign fuel whole (above x), monic_of fuel whole x with
  | [Gt], Some m => Some (simplified (sum_of_logs (all_powers x m)))
  | _, _ => None
  end.

(* A value as a quotient of two polynomials *)
Definition quotient_of (x : fraction) : option (poly * poly) :=
  let c := powers_min (factors x) [] in
  match expanded (divided_powers (factors x) c), expanded (powers_inv c) with
  | Some p, Some q => Some (times (above x) p, pscale [] (Zpos (below x)) q)
  | _, _ => None
  end.
Fixpoint powers_of_logs (b : positive) (p : poly) : option powers :=
  match p with
  | [] => Some []
  | (m, c) :: p' =>
      match log_in m, powers_of_logs b p' with
      | Some ([], f), Some l => Some (powers_mul [(f, Qred (c # b))] l)
      | _, _ => None
      end
  end.
Definition exp_of_fraction (x : fraction) : option fraction :=
  match factors x, powers_of_logs (below x) (above x) with
  | [], Some l => Some (simplified (Fraction one 1 l))
  | _, _ => match quotient_of x with Some (p, q) => Some (Fraction (single (Of Exponential p q)) 1 []) | None => None end
  end.
Definition starts_below_zero (p : poly) : bool := match p with (_, Zneg _) :: _ => true | _ => false end.
Definition arccos_of_fraction (x : fraction) : option fraction :=
  match above x, quotient_of x with
  | [], _ => Some (Fraction (single (Of Circle [] [])) 2 [])
  | _, Some (p, q) =>
      if peq p q then Some zero else
      if peq (popp p) q then Some (Fraction (single (Of Circle [] [])) 1 []) else
      if starts_below_zero p
      then Some (Fraction (psub (single (Of Circle [] [])) (single (Of Cosine (popp p) q))) 1 [])
      else Some (Fraction (single (Of Cosine p q)) 1 [])
  | _, None => None
  end.
Definition arcsin_of_fraction (x : fraction) : option fraction :=
  match above x, quotient_of x with
  | [], _ => Some zero
  | _, Some (p, q) =>
      if starts_below_zero p then Some (Fraction (popp (single (Of Sine (popp p) q))) 1 [])
      else Some (Fraction (single (Of Sine p q)) 1 [])
  | _, None => None
  end.

(* Comparison: by the sign of the difference; of products of powers, also after raising both to a common power *)
Definition common_denominator (which : poly -> bool) (l : powers) (k : positive) : positive :=
  fold_right (fun t k => if which (fst t) then Z.to_pos (Z.lcm (Zpos (Qden (snd t))) (Zpos k)) else k) k l.
Definition denominator_of (which : poly -> bool) (x y : fraction) : positive :=
  common_denominator which (factors x) (common_denominator which (factors y) 1).
Definition raised (k : positive) (x : fraction) : option fraction :=    (* of a product of powers *)
  match above x with
  | [([], Zpos c)] => Some (simplified (Fraction [([], Zpos (c ^ k))] (below x ^ k) (powers_pow (Zpos k # 1) (factors x))))
  | _ => None
  end.
Definition difference_sign fuel whole x y : signs :=
  match sub x y with Some d => sign fuel whole (above d) | None => any end.
Definition after_raising fuel whole (k : positive) (x y : fraction) : signs :=
  match raised k x, raised k y with
  | Some a, Some b => difference_sign fuel whole a b
  | _, _ => match raised k (opp x), raised k (opp y) with
            | Some a, Some b => difference_sign fuel whole b a | _, _ => any end
  end.
(* Roots of polynomials with coefficients of both signs, or with roots in them, are removed first. *)
Definition is_nested (f : poly) : bool := negb (plain f <&> coefficients f).
Definition compared fuel whole (x y : fraction) : signs :=
  match denominator_of is_nested x y with
  | 1%positive =>
      let s := difference_sign fuel whole x y in
      if definite s then s else
      match denominator_of (fun _ => true) x y with 1%positive => s | k => let r := after_raising fuel whole k x y in if definite r then r else s end
  | k => let r := after_raising fuel whole k x y in if definite r then r else difference_sign fuel whole x y
  end.
Definition unknown_difference fuel whole (x y : fraction) : list poly :=
  match sub x y with Some d => unknown fuel whole (above d) | None => [] end.
Definition unknown_sign fuel whole (x : fraction) : list poly :=
  if definite (sign fuel whole (above x)) then [] else [above x].
Definition unknown_comparison fuel whole (x y : fraction) : list poly :=
  match denominator_of is_nested x y with
  | 1%positive => unknown_difference fuel whole x y
  | k => match raised k x, raised k y with
         | Some a, Some b => unknown_difference fuel whole a b
         | _, _ => match raised k (opp x), raised k (opp y) with
                   | Some a, Some b => unknown_difference fuel whole b a | _, _ => unknown_difference fuel whole x y end
         end
  end ++ unknown_sign fuel whole x ++ unknown_sign fuel whole y.

Section Arithmetic.
  Variable whole : context.
  Variable v : nat -> R.
  Hypothesis G : good whole v.
  Let V : forall k, 0 < v k. Proof. apply G. Qed.

  Lemma divided_powers_ok : forall l c, sound_powers v l -> sound_powers v c ->
    sound_powers v (divided_powers l c) /\ powers_value v (divided_powers l c) = powers_value v l / powers_value v c.
  Proof.
    intros l [|t c] L C. { split; auto. simpl. field. }
    unfold divided_powers. split; [apply sound_mul; auto; apply sound_pow; auto|]. rewrite powers_mul_ok, powers_inv_ok. auto.
  Qed.
  Lemma add_ok : forall x y z, sound v x -> sound v y -> add x y = Some z ->
    fraction_value v z = fraction_value v x + fraction_value v y /\ sound v z.
  Proof.
    intros x y z X Y H. unfold add in H.
    destruct (above x) as [|s p'] eqn:P. { injection H as <-. split; auto. unfold fraction_value. rewrite P, pval_nil. lra. }
    destruct (above y) as [|t q'] eqn:Q. { injection H as <-. split; auto. unfold fraction_value. rewrite Q, pval_nil. lra. }
    rewrite <- P, <- Q in H. cbv zeta in H. set (c := powers_min (factors x) (factors y)) in *.
    assert (C : sound_powers v c) by (apply sound_min; auto).
    destruct (divided_powers_ok (factors x) c X C) as [X1 X2]. destruct (divided_powers_ok (factors y) c Y C) as [Y1 Y2].
    destruct (expanded (divided_powers (factors x) c)) as [ex|] eqn:EX; [|discriminate].
    destruct (expanded (divided_powers (factors y) c)) as [ey|] eqn:EY; [|discriminate].
    apply (expanded_ok v V) in EX; auto. apply (expanded_ok v V) in EY; auto. rewrite X2 in EX. rewrite Y2 in EY.
    injection H as <-. pose proof (powers_positive v c) as CP. pose proof (IZR_pos (below x)). pose proof (IZR_pos (below y)).
    assert (S : forall f, sound v f -> fraction_value v f = fraction_value v x + fraction_value v y ->
      fraction_value v (simplified f) = fraction_value v x + fraction_value v y /\ sound v (simplified f)).
    { intros f F E. destruct (simplified_ok v V f F) as [S1 S2]. split; congruence. }
    destruct (Pos.eqb_spec (below x) (below y)) as [E|_]; apply S; auto; unfold fraction_value; cbn [above below factors];
      rewrite pval_add, ?pval_scale, ?mval_nil, !times_ok, EX, EY by auto.
    - rewrite E. field. lra.
    - rewrite Pos2Z.inj_mul, mult_IZR. field. lra.
  Qed.
  Lemma opp_ok : forall x, sound v x -> fraction_value v (opp x) = - fraction_value v x /\ sound v (opp x).
  Proof. intros x X. split; auto. unfold fraction_value, opp; cbn [above below factors]. rewrite pval_opp. lra. Qed.
  Lemma sub_ok : forall x y z, sound v x -> sound v y -> sub x y = Some z ->
    fraction_value v z = fraction_value v x - fraction_value v y /\ sound v z.
  Proof.
    intros x y z X Y H. destruct (opp_ok y Y) as [O1 O2]. destruct (add_ok x (opp y) z X O2 H) as [A B].
    split; auto. rewrite A, O1. ring.
  Qed.
  Lemma mul_ok : forall x y, sound v x -> sound v y ->
    fraction_value v (mul x y) = fraction_value v x * fraction_value v y /\ sound v (mul x y).
  Proof.
    intros x y X Y. unfold mul. edestruct simplified_ok as [A B]; [exact V | | split; [etransitivity; [exact A|] | exact B]].
    { apply sound_mul; auto. }
    unfold fraction_value; cbn [above below factors]. rewrite times_ok, powers_mul_ok, Pos2Z.inj_mul, mult_IZR by auto.
    pose proof (IZR_pos (below x)). pose proof (IZR_pos (below y)). field. lra.
  Qed.
  Lemma fraction_sign : forall fuel x, among (sign fuel whole (above x)) (fraction_value v x).
  Proof.
    intros. pose proof (sign_ok whole v G fuel (above x)) as S. unfold fraction_value.
    replace (pval v (above x) / IZR (Zpos (below x)) * powers_value v (factors x))
      with (/ IZR (Zpos (below x)) * powers_value v (factors x) * pval v (above x)) by (unfold Rdiv; ring).
    apply among_scaled; auto. apply Rmult_lt_0_compat; [apply Rinv_0_lt_compat, IZR_pos | apply powers_positive].
  Qed.
  Definition monic_value (x : fraction) (m : monic) :=
    match is m with Lt => -1 | _ => 1 end * (IZR (Zpos (size m)) / IZR (Zpos (below x)) * powers_value v (others m)).
  Lemma as_power_ok : forall s p l m, sound_powers v l -> 0 < pval v p -> as_power s p l = Some m ->
    is m = s /\ sound_powers v (others m) /\ IZR (Zpos (size m)) * powers_value v (others m) = pval v p * powers_value v l.
  Proof.
    intros s p l m L P H. unfold as_power in H. destruct (content p) as [|g|] eqn:C; try discriminate.
    destruct (divides (Zpos g) p) eqn:D; [|discriminate]. pose proof (pval_divided v (Zpos g) p D) as E.
    set (q := divided (Zpos g) p) in *. assert (Q : 0 < pval v q).
    { rewrite E in P. pose proof (IZR_pos g). apply Rmult_lt_reg_l with (IZR (Zpos g)); auto. lra. }
    assert (S : sound_powers v (powers_mul [(q, 1%Q)] l)).
    { apply (sound_mul v [(q, 1%Q)] l); auto. constructor; [auto | constructor]. }
    pose proof (powers_mul_ok v [(q, 1%Q)] l) as F. cbn [powers_value] in F. rewrite one_exponent, Rpower_1 in F by auto.
    set (r := powers_mul [(q, 1%Q)] l) in *. clearbody r. injection H as <-. cbn [is others size].
    split; auto. split; auto. rewrite F, E. ring.
  Qed.
  Lemma monic_of_ok : forall fuel x m, sound v x -> monic_of fuel whole x = Some m ->
    fraction_value v x = monic_value x m /\ sound_powers v (others m) /\ is m <> Eq.
  Proof.
    intros fuel x m X H. pose proof (sign_ok whole v G fuel (above x)) as S.
    assert (N : forall p l k, sound_powers v l ->
      match sign fuel whole p with [Gt] => as_power Gt p l | [Lt] => as_power Lt (popp p) l | _ => None end = Some k ->
      among (sign fuel whole p) (pval v p) ->
      pval v p * powers_value v l = match is k with Lt => -1 | _ => 1 end * (IZR (Zpos (size k)) * powers_value v (others k))
      /\ sound_powers v (others k) /\ is k <> Eq).
    { intros p l k L A (s & I & B). destruct (sign fuel whole p) as [|[| |] [|]]; try discriminate;
        destruct I as [<-|[]]; unfold sign_is in B.
      - apply as_power_ok in A as (A1 & A2 & A3); auto; [|rewrite pval_opp; lra]. rewrite A1, A3, pval_opp.
        repeat split; auto; try lra; discriminate.
      - apply as_power_ok in A as (A1 & A2 & A3); auto. rewrite A1, A3. repeat split; auto; try lra; discriminate. }
    assert (D : match sign fuel whole (above x) with
      [Gt] => as_power Gt (above x) (factors x) | [Lt] => as_power Lt (popp (above x)) (factors x) | _ => None end = Some m ->
      fraction_value v x = monic_value x m /\ sound_powers v (others m) /\ is m <> Eq).
    { intros A. destruct (N _ _ _ X A S) as (B & C & E). repeat split; auto. unfold fraction_value, monic_value.
      replace (pval v (above x) / IZR (Zpos (below x)) * powers_value v (factors x))
        with (pval v (above x) * powers_value v (factors x) / IZR (Zpos (below x))) by (unfold Rdiv; ring).
      rewrite B. unfold Rdiv. ring. }
    unfold monic_of in H. destruct (above x) as [|[[|t n] [|c|c]] [|]] eqn:P; auto; injection H as <-;
      unfold fraction_value, monic_value; cbn [is size others]; rewrite P, pval_cons, mval_nil, pval_nil;
      repeat split; auto; try discriminate.
    - unfold Rdiv. ring.
    - replace (IZR (Zneg c)) with (- IZR (Zpos c)) by (rewrite <- opp_IZR; reflexivity). unfold Rdiv. ring.
  Qed.
  Lemma monic_nonzero : forall x m, is m <> Eq -> monic_value x m <> 0.
  Proof.
    intros x m H. unfold monic_value. pose proof (IZR_pos (size m)). pose proof (IZR_pos (below x)).
    pose proof (powers_positive v (others m)).
    assert (0 < IZR (Zpos (size m)) / IZR (Zpos (below x)) * powers_value v (others m)).
    { apply Rmult_lt_0_compat; auto. apply Rdiv_lt_0_compat; auto. }
    destruct (is m); lra.
  Qed.
  Lemma inverse_ok : forall fuel x y, sound v x -> inverse fuel whole x = Some y ->
    fraction_value v y = / fraction_value v x /\ fraction_value v x <> 0 /\ sound v y.
  Proof.
    intros fuel x y X H. unfold inverse in H. destruct (monic_of fuel whole x) as [m|] eqn:M; [|discriminate].
    injection H as <-. destruct (monic_of_ok fuel x m X M) as (E & L & N). pose proof (monic_nonzero x m N) as Z.
    edestruct simplified_ok as [A B]; [exact V | | split; [etransitivity; [exact A|] | split; [rewrite E; auto | exact B]]].
    { apply sound_pow; auto. }
    unfold fraction_value at 1; cbn [above below factors]. rewrite E, powers_inv_ok, pval_cons, mval_nil, pval_nil.
    unfold monic_value. pose proof (IZR_pos (size m)). pose proof (IZR_pos (below x)). pose proof (powers_positive v (others m)).
    destruct (is m).
    - field. lra.
    - replace (IZR (Zneg (below x))) with (- IZR (Zpos (below x))) by (rewrite <- opp_IZR; reflexivity). field. lra.
    - field. lra.
  Qed.
  Lemma numbers_of_sound : forall n, sound_powers v [([([], Zpos n)], 1%Q)] /\ powers_value v [([([], Zpos n)], 1%Q)] = IZR (Zpos n).
  Proof.
    intros. pose proof (IZR_pos n).
    assert (E : pval v [([], Zpos n)] = IZR (Zpos n)) by (rewrite pval_cons, mval_nil, pval_nil; ring). split.
    - constructor; [|constructor]. cbn [fst]. rewrite E. auto.
    - cbn [powers_value]. rewrite E. rewrite one_exponent. rewrite Rpower_1 by auto. ring.
  Qed.
  Lemma prime_powers_sound : forall fuel p n, sound_powers v (prime_powers fuel p n).
  Proof.
    induction fuel as [|fuel IH]; intros p n; cbn [prime_powers].
    - destruct n; try apply numbers_of_sound. constructor.
    - assert (K : sound_powers v (if (n <? p * p)%positive then [([([], Zpos n)], 1%Q)]
        else if (Zpos n mod Zpos p =? 0)%Z
             then powers_mul [([([], Zpos p)], 1%Q)] (prime_powers fuel p (Z.to_pos (Zpos n / Zpos p)))
             else prime_powers fuel (p + 1) n)).
      { destruct (n <? p * p)%positive; [apply numbers_of_sound|]. destruct (_ =? 0)%Z; auto.
        apply sound_mul; auto. apply numbers_of_sound. }
      destruct n; auto. constructor.
  Qed.
  Lemma number_powers_ok : forall n, sound_powers v (number_powers n) /\ powers_value v (number_powers n) = IZR (Zpos n).
  Proof.
    intros n. unfold number_powers. cbv zeta. pose proof (prime_powers_sound 100 2 n) as S.
    destruct (numbers (prime_powers 100 2 n)) as [[a b] l] eqn:E. destruct (numbers_ok v _ _ _ _ S E) as [_ N].
    pose proof (numbers_of_sound n) as D. destruct a as [|a|]; auto. destruct b; auto. destruct l; auto.
    destruct (Pos.eqb_spec a n); auto. subst. split; auto. rewrite N. cbn [powers_value]. field.
  Qed.
  Lemma all_powers_ok : forall x m, sound_powers v (others m) -> sound_powers v (all_powers x m) /\
    powers_value v (all_powers x m) = IZR (Zpos (size m)) / IZR (Zpos (below x)) * powers_value v (others m).
  Proof.
    intros x m H. destruct (number_powers_ok (size m)) as [A1 A2]. destruct (number_powers_ok (below x)) as [B1 B2].
    unfold all_powers. split.
    - apply sound_mul; auto. apply sound_mul; auto. apply sound_pow. auto.
    - rewrite !powers_mul_ok, powers_inv_ok, A2, B2. auto.
  Qed.
  Lemma positive_powers : forall fuel x m, sound v x -> sign fuel whole (above x) = [Gt] -> monic_of fuel whole x = Some m ->
    sound_powers v (all_powers x m) /\ powers_value v (all_powers x m) = fraction_value v x /\ 0 < fraction_value v x.
  Proof.
    intros fuel x m X S M. destruct (monic_of_ok fuel x m X M) as (E & L & N). destruct (all_powers_ok x m L) as [A B].
    assert (P : 0 < fraction_value v x).
    { pose proof (fraction_sign fuel x) as (s & I & K). rewrite S in I. destruct I as [<-|[]]. exact K. }
    repeat split; auto. rewrite B, E. unfold monic_value in *. pose proof (powers_positive v (all_powers x m)) as Q.
    rewrite B in Q. destruct (is m); lra.
  Qed.
  Lemma root_of_fraction_ok : forall fuel d x y, sound v x -> root_of_fraction fuel whole d x = Some y ->
    0 <= fraction_value v x /\ fraction_value v y = root d (fraction_value v x) /\ sound v y.
  Proof.
    intros fuel d x y X H. unfold root_of_fraction in H. pose proof (fraction_sign fuel x) as (s & I & K).
    destruct (sign fuel whole (above x)) as [|[| |] [|]] eqn:S; try discriminate.
    - injection H as <-. destruct I as [<-|[]]. unfold sign_is in K. rewrite K. destruct (zero_ok v) as [Z1 Z2].
      repeat split; auto; [lra|]. rewrite Z1. unfold root. destruct (Rlt_dec 0 0); lra.
    - destruct (monic_of fuel whole x) as [m|] eqn:M; [|discriminate]. injection H as <-.
      destruct (positive_powers fuel x m X S M) as (A & B & P).
      edestruct simplified_ok as [C D]; [exact V | | split; [lra | split; [etransitivity; [exact C|] | exact D]]].
      { apply sound_pow; exact A. }
      unfold fraction_value at 1; cbn [above below factors]. rewrite powers_pow_ok, B, pval_one. unfold root.
      destruct (Rlt_dec 0 (fraction_value v x)); [|contradiction]. replace (Q2R (1 # d)) with (/ IZR (Zpos d)).
      2: { unfold Q2R. cbn [Qnum Qden]. ring. } field.
  Qed.
  Lemma sum_of_logs_ok : forall l, sound_powers v l ->
    fraction_value v (sum_of_logs l) = ln (powers_value v l) /\ sound v (sum_of_logs l) /\ factors (sum_of_logs l) = [].
  Proof.
    induction l as [|[f e] l IH]; intros L. { destruct (zero_ok v) as [A B]. cbn [sum_of_logs powers_value]. rewrite A, ln_1. auto. }
    inversion L; subst. cbn [fst] in H1. destruct (IH H2) as (A & B & C). cbn [sum_of_logs]. cbv zeta.
    split; [|split; auto; constructor]. cbn [powers_value]. rewrite ln_mult by (try apply exp_pos; apply powers_positive).
    rewrite <- A. unfold fraction_value. rewrite C. cbn [above below factors powers_value].
    rewrite pval_add, !pval_scale, mval_nil, Pos2Z.inj_mul, !mult_IZR, log_poly_ok.
    unfold Rpower. rewrite ln_exp. unfold Q2R. pose proof (IZR_pos (below (sum_of_logs l))). pose proof (IZR_pos (Qden e)).
    field. lra.
  Qed.
  Lemma log_of_fraction_ok : forall fuel x y, sound v x -> log_of_fraction fuel whole x = Some y ->
    0 < fraction_value v x /\ fraction_value v y = ln (fraction_value v x) /\ sound v y.
  Proof.
    intros fuel x y X H. unfold log_of_fraction in H. destruct (sign fuel whole (above x)) as [|[| |] [|]] eqn:S; try discriminate.
    destruct (monic_of fuel whole x) as [m|] eqn:M; [|discriminate]. injection H as <-.
    destruct (positive_powers fuel x m X S M) as (A & B & P). destruct (sum_of_logs_ok _ A) as (C & D & _).
    destruct (simplified_ok v V _ D) as [E F]. split; auto. split; auto. rewrite E, C, B. auto.
  Qed.
  Lemma quotient_of_ok : forall x p q, sound v x -> quotient_of x = Some (p, q) ->
    fraction_value v x = pval v p / pval v q /\ 0 < pval v q.
  Proof.
    intros x p q X H. unfold quotient_of in H. cbv zeta in H. set (c := powers_min (factors x) []) in *.
    assert (C : sound_powers v c) by (apply sound_min; auto; constructor).
    destruct (divided_powers_ok (factors x) c X C) as [A1 A2].
    destruct (expanded (divided_powers (factors x) c)) as [f|] eqn:F; [|discriminate].
    destruct (expanded (powers_inv c)) as [g|] eqn:K; [|discriminate]. injection H as <- <-.
    apply (expanded_ok v V) in F; auto. apply (expanded_ok v V) in K; [|apply sound_pow; auto].
    rewrite powers_inv_ok in K. rewrite times_ok, pval_scale, mval_nil, F, K, A2 by auto.
    pose proof (powers_positive v c). pose proof (IZR_pos (below x)). unfold fraction_value. split.
    - field. lra.
    - apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat; auto].
  Qed.
  Lemma some_eq : forall A (a b : A), Some a = Some b -> a = b.
  Proof. intros A a b H. injection H. auto. Qed.
  Lemma powers_of_logs_ok : forall b p l, powers_of_logs b p = Some l ->
    sound_powers v l /\ powers_value v l = exp (pval v p / IZR (Zpos b)).
  Proof.
    induction p as [|[m c] p IH]; intros l H; cbn [powers_of_logs] in H.
    { injection H as <-. split; [constructor|]. rewrite pval_nil. unfold Rdiv. rewrite Rmult_0_l, exp_0. auto. }
    destruct (log_in m) as [[[|] f]|] eqn:L; try discriminate. destruct (log_in_ok v V m _ _ L) as [E F].
    destruct (powers_of_logs b p) as [r|]; [|discriminate]. destruct (IH r eq_refl) as [A B]. apply some_eq in H. subst l. split.
    - apply (sound_mul v [(f, Qred (c # b))] r); auto. constructor; [auto | constructor].
    - rewrite powers_mul_ok. cbn [powers_value]. rewrite B, pval_cons, E, mval_nil, Q2R_red. unfold Rpower, Q2R. cbn [Qnum Qden].
      rewrite Rmult_1_r, <- exp_plus. f_equal. pose proof (IZR_pos b). field. lra.
  Qed.
  Lemma exp_of_fraction_ok : forall x y, sound v x -> exp_of_fraction x = Some y ->
    fraction_value v y = exp (fraction_value v x) /\ sound v y.
  Proof.
    intros x y X H. unfold exp_of_fraction in H.
    assert (D : match quotient_of x with Some (p, q) => Some (Fraction (single (Of Exponential p q)) 1 []) | None => None end = Some y
      -> fraction_value v y = exp (fraction_value v x) /\ sound v y).
    { intros T. destruct (quotient_of x) as [[p q]|] eqn:Q; [|discriminate]. injection T as <-.
      destruct (quotient_of_ok x p q X Q) as [E _]. split; [|constructor]. rewrite E.
      unfold fraction_value at 1; cbn [above below factors powers_value]. rewrite pval_single, symbol_of. cbn [apply_function]. field. }
    destruct (factors x) as [|t l] eqn:F; auto. destruct (powers_of_logs (below x) (above x)) as [l|] eqn:P; auto.
    injection H as <-. destruct (powers_of_logs_ok _ _ _ P) as [A B].
    edestruct simplified_ok as [C K]; [exact V | | split; [etransitivity; [exact C|] | exact K]]; auto.
    unfold fraction_value; cbn [above below factors]. rewrite B, pval_one, F. cbn [powers_value]. rewrite Rmult_1_r. field.
  Qed.
  Lemma circle : forall b, fraction_value v (Fraction (single (Of Circle [] [])) b []) = PI / IZR (Zpos b).
  Proof.
    intros. unfold fraction_value; cbn [above below factors powers_value]. rewrite pval_single, symbol_of. cbn [apply_function]. ring.
  Qed.
  Lemma arccos_of_fraction_ok : forall x y, sound v x -> arccos_of_fraction x = Some y ->
    fraction_value v y = acos (fraction_value v x) /\ sound v y.
  Proof.
    intros x y X H. unfold arccos_of_fraction in H. destruct (above x) as [|t r] eqn:P.
    { injection H as <-. split; [|constructor]. rewrite circle. unfold fraction_value. rewrite P, pval_nil.
      unfold Rdiv at 2. rewrite !Rmult_0_l, acos_0. reflexivity. }
    destruct (quotient_of x) as [[p q]|] eqn:Q; [|discriminate]. destruct (quotient_of_ok x p q X Q) as [E N].
    destruct (peq p q) eqn:D.
    { injection H as <-. apply peq_eq in D. subst. destruct (zero_ok v) as [Z1 Z2]. split; auto. rewrite Z1, E.
      unfold Rdiv. rewrite Rinv_r, acos_1 by lra. auto. }
    destruct (peq (popp p) q) eqn:D'.
    { apply some_eq in H. subst y. apply peq_eq in D'. split; [|apply Forall_nil]. rewrite circle, E. rewrite <- D', pval_opp in *.
      replace (pval v p / - pval v p) with (- (1)) by (field; lra). rewrite acos_opp, acos_1. field. }
    destruct (starts_below_zero p); apply some_eq in H; subst y; (split; [|apply Forall_nil]); rewrite E;
      unfold fraction_value; cbn [above below factors powers_value]; rewrite ?pval_sub, !pval_single, !symbol_of;
      cbn [apply_function]; rewrite ?pval_opp.
    - replace (pval v p / pval v q) with (- (- pval v p / pval v q)) by (unfold Rdiv; ring). rewrite acos_opp. field.
    - field.
  Qed.
  Lemma arcsin_of_fraction_ok : forall x y, sound v x -> arcsin_of_fraction x = Some y ->
    fraction_value v y = asin (fraction_value v x) /\ sound v y.
  Proof.
    intros x y X H. unfold arcsin_of_fraction in H. destruct (above x) as [|t r] eqn:P.
    { injection H as <-. destruct (zero_ok v) as [Z1 Z2]. split; auto. rewrite Z1. unfold fraction_value. rewrite P, pval_nil.
      unfold Rdiv. rewrite !Rmult_0_l, asin_0. reflexivity. }
    destruct (quotient_of x) as [[p q]|] eqn:Q; [|discriminate]. destruct (quotient_of_ok x p q X Q) as [E N].
    destruct (starts_below_zero p); apply some_eq in H; subst y; (split; [|apply Forall_nil]); rewrite E;
      unfold fraction_value; cbn [above below factors powers_value]; rewrite ?pval_opp, !pval_single, !symbol_of;
      cbn [apply_function]; rewrite ?pval_opp.
    - replace (pval v p / pval v q) with (- (- pval v p / pval v q)) by (unfold Rdiv; ring). rewrite asin_opp. field.
    - field.
  Qed.
  Lemma difference_sign_ok : forall fuel x y, sound v x -> sound v y ->
    among (difference_sign fuel whole x y) (fraction_value v x - fraction_value v y).
  Proof.
    intros fuel x y X Y. unfold difference_sign. destruct (sub x y) as [d|] eqn:D; [|apply among_any].
    destruct (sub_ok x y d X Y D) as [E S]. rewrite <- E. apply fraction_sign.
  Qed.
  Lemma raised_ok : forall k x y, sound v x -> raised k x = Some y ->
    0 < fraction_value v x /\ fraction_value v y = Rpower (fraction_value v x) (IZR (Zpos k)) /\ sound v y.
  Proof.
    intros k x y X H. unfold raised in H. destruct (above x) as [|[[|] [|c|]] [|]] eqn:P; try discriminate. injection H as <-.
    pose proof (IZR_pos c) as C. pose proof (IZR_pos (below x)) as B. pose proof (powers_positive v (factors x)) as F.
    assert (E : fraction_value v x = IZR (Zpos c) / IZR (Zpos (below x)) * powers_value v (factors x)).
    { unfold fraction_value. rewrite P, pval_cons, mval_nil, pval_nil. unfold Rdiv. ring. }
    assert (Q : 0 < IZR (Zpos c) / IZR (Zpos (below x))) by (apply Rdiv_lt_0_compat; auto).
    edestruct simplified_ok as [K L]; [exact V | | split; [rewrite E; apply Rmult_lt_0_compat; auto | split; [etransitivity; [exact K|] | exact L]]].
    { apply sound_pow; auto. }
    unfold fraction_value at 1; cbn [above below factors]. rewrite powers_pow_ok, pval_cons, mval_nil, pval_nil, E.
    replace (Q2R (Zpos k # 1)) with (IZR (Zpos k)) by (unfold Q2R; cbn [Qnum Qden]; field).
    rewrite <- (Rpower_mult_distr (IZR (Zpos c) / IZR (Zpos (below x)))) by auto. unfold Rdiv.
    rewrite <- Rpower_mult_distr by (auto; apply Rinv_0_lt_compat; auto).
    assert (I : forall b, IZR (Zpos (b ^ k)) = Rpower (IZR (Zpos b)) (IZR (Zpos k))).
    { intros. rewrite <- pow_pos_IZR, Pos2Z.inj_pow. reflexivity. }
    rewrite !I, Rmult_1_r, Rplus_0_r. f_equal. f_equal. unfold Rpower. rewrite ln_Rinv, <- Ropp_mult_distr_r, exp_Ropp by auto. auto.
  Qed.
  Lemma after_raising_ok : forall fuel k x y, sound v x -> sound v y ->
    among (after_raising fuel whole k x y) (fraction_value v x - fraction_value v y).
  Proof.
    intros fuel k x y X Y.
    assert (L : forall u w, 0 < u -> u < w -> Rpower u (IZR (Zpos k)) < Rpower w (IZR (Zpos k))).
    { intros u w U W. unfold Rpower. apply exp_increasing, Rmult_lt_compat_l; [apply IZR_pos | apply ln_increasing; auto]. }
    assert (P : forall a b c d, sound v a -> sound v b -> raised k a = Some c -> raised k b = Some d ->
      among (difference_sign fuel whole c d) (fraction_value v a - fraction_value v b)).
    { intros a b c d A B C E. destruct (raised_ok k a c A C) as (A1 & A2 & A3). destruct (raised_ok k b d B E) as (B1 & B2 & B3).
      pose proof (difference_sign_ok fuel c d A3 B3) as (s & I & S). exists s. split; auto. rewrite A2, B2 in S.
      destruct (Rtotal_order (fraction_value v a) (fraction_value v b)) as [T|[T|T]].
      - pose proof (L _ _ A1 T). destruct s; unfold sign_is in *; lra.
      - rewrite T in *. destruct s; unfold sign_is in *; lra.
      - pose proof (L _ _ B1 T). destruct s; unfold sign_is in *; lra. }
    destruct (opp_ok x X) as [OX SX]. destruct (opp_ok y Y) as [OY SY]. unfold after_raising.
    assert (N : among (match raised k (opp x), raised k (opp y) with
      | Some a, Some b => difference_sign fuel whole b a | _, _ => any end) (fraction_value v x - fraction_value v y)).
    { destruct (raised k (opp x)) as [a|] eqn:A; [|apply among_any]. destruct (raised k (opp y)) as [b|] eqn:B; [|apply among_any].
      replace (fraction_value v x - fraction_value v y) with (fraction_value v (opp y) - fraction_value v (opp x)) by lra.
      apply P; auto. }
    destruct (raised k x) as [a|] eqn:A; auto. destruct (raised k y) as [b|] eqn:B; auto.
  Qed.
  Lemma compared_ok : forall fuel x y, sound v x -> sound v y ->
    among (compared fuel whole x y) (fraction_value v x - fraction_value v y).
  Proof.
    intros fuel x y X Y. unfold compared. cbv zeta. pose proof (difference_sign_ok fuel x y X Y) as D.
    assert (K : forall k, among (let r := after_raising fuel whole k x y in if definite r then r else difference_sign fuel whole x y)
      (fraction_value v x - fraction_value v y)).
    { intros k. cbv zeta. destruct (definite _); auto. apply after_raising_ok; auto. }
    destruct (denominator_of _ x y); try apply K. destruct (definite _); auto. destruct (denominator_of _ x y); auto; apply K.
  Qed.
End Arithmetic.
