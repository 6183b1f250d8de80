(* Polynomials with whole coefficients, in variables and in roots, logarithms, ... of quotients of polynomials.

   A polynomial is a sorted list of terms, a term a sorted list of powers with a coefficient. Nothing here has to be
   believed: each operation has a lemma that says what it does to values. *)
From Coq Require Import Reals ZArith List Bool Lra Lia.
From Goodmeasure Require Import Tree.
Import ListNotations.
Local Open Scope R_scope.

(* Both sides of && are computed before it is asked what they are; here the second only if it is needed. *)
Notation "a <&> b" := (if a then b else false) (at level 40, left associativity).
Notation "a <|> b" := (if a then true else b) (at level 50, left associativity).
Section Lists.
  Variable A : Type.
  Variable f : A -> bool.
  Fixpoint every (l : list A) : bool := match l with [] => true | x :: l' => f x <&> every l' end.
  Fixpoint some (l : list A) : bool := match l with [] => false | x :: l' => f x <|> some l' end.
End Lists.
Arguments every {A}.
Arguments some {A}.
Lemma both_true : forall a b : bool, a <&> b = true -> a = true /\ b = true.
Proof. intros [] [] H; auto. Qed.
Lemma one_true : forall a b : bool, a <|> b = true -> a = true \/ b = true.
Proof. intros [] [] H; auto. Qed.
Lemma every_forall : forall A (f : A -> bool) l, every f l = true <-> forall x, In x l -> f x = true.
Proof. intros. rewrite <- forallb_forall. induction l; simpl; [tauto | destruct (f a); simpl; tauto]. Qed.
Lemma some_exists : forall A (f : A -> bool) l, some f l = true <-> exists x, In x l /\ f x = true.
Proof. intros. rewrite <- existsb_exists. induction l; simpl; [tauto | destruct (f a); simpl; tauto]. Qed.

Inductive function := Rooted (d : positive) | Logarithm | Exponential | Cosine | Sine | Circle.
(* Cosine and Sine stand for their inverses, Circle for the number pi. *)

Inductive symbol := Var (k : nat) | Of (f : function) (p q : list (list (symbol * positive) * Z)).
Notation monomial := (list (symbol * positive)).
Notation poly := (list (monomial * Z)).

Definition apply_function (f : function) (x : R) : R :=
  match f with
  | Rooted d => root d x | Logarithm => ln x | Exponential => exp x | Cosine => acos x | Sine => asin x | Circle => PI
  end.

Fixpoint symbol_value (v : nat -> R) (g : symbol) : R :=
  match g with
  | Var k => v k
  | Of f p q =>
      let of_monomial := fix of_monomial (m : monomial) : R :=
        match m with [] => 1 | (h, e) :: m' => symbol_value v h ^ Pos.to_nat e * of_monomial m' end in
      let of_poly := fix of_poly (p : poly) : R :=
        match p with [] => 0 | (m, c) :: p' => IZR c * of_monomial m + of_poly p' end in
      apply_function f (of_poly p / of_poly q)
  end.

Definition mval (v : nat -> R) : monomial -> R :=
  fix of_monomial m := match m with [] => 1 | (h, e) :: m' => symbol_value v h ^ Pos.to_nat e * of_monomial m' end.
Definition pval (v : nat -> R) : poly -> R :=
  fix of_poly p := match p with [] => 0 | (m, c) :: p' => IZR c * mval v m + of_poly p' end.
Lemma symbol_of : forall v f p q, symbol_value v (Of f p q) = apply_function f (pval v p / pval v q).
Proof. reflexivity. Qed.

(* An order of symbols, monomials and polynomials *)

Definition also (x y : comparison) := match x with Eq => y | _ => x end.
Definition number_of (f : function) : positive :=
  match f with Rooted d => 5 + d | Logarithm => 1 | Exponential => 2 | Cosine => 3 | Sine => 4 | Circle => 5 end.

Fixpoint symbol_cmp (g h : symbol) {struct g} : comparison :=
  match g, h with
  | Var i, Var j => Nat.compare i j
  | Var _, Of _ _ _ => Lt
  | Of _ _ _, Var _ => Gt
  | Of f p q, Of f' p' q' =>
      let monomials := fix monomials (m n : monomial) : comparison :=
        match m, n with
        | [], [] => Eq | [], _ => Lt | _, [] => Gt
        | (x, e) :: m', (y, d) :: n' =>
            match symbol_cmp x y with Lt => Gt | Gt => Lt | Eq => also (Pos.compare e d) (monomials m' n') end
        end in
      let polys := fix polys (p q : poly) : comparison :=
        match p, q with
        | [], [] => Eq | [], _ => Lt | _, [] => Gt
        | (m, c) :: p', (n, d) :: q' => also (monomials m n) (also (Z.compare c d) (polys p' q'))
        end in
      also (Pos.compare (number_of f) (number_of f')) (also (polys p p') (polys q q'))
  end.

(* A monomial with a higher power of the first symbol in which two differ is greater, so that products keep the order. *)
Fixpoint mcmp (m n : monomial) : comparison :=
  match m, n with
  | [], [] => Eq | [], _ => Lt | _, [] => Gt
  | (x, e) :: m', (y, d) :: n' =>
      match symbol_cmp x y with Lt => Gt | Gt => Lt | Eq => also (Pos.compare e d) (mcmp m' n') end
  end.
Fixpoint pcmp (p q : poly) : comparison :=
  match p, q with
  | [], [] => Eq | [], _ => Lt | _, [] => Gt
  | (m, c) :: p', (n, d) :: q' => also (mcmp m n) (also (Z.compare c d) (pcmp p' q'))
  end.

Section Induction.
  Variable P : symbol -> Prop.
  Hypothesis variables : forall k, P (Var k).
  Let every (p : poly) := forall t, In t p -> forall x, In x (fst t) -> P (fst x).
  Hypothesis others : forall f p q, every p -> every q -> P (Of f p q).
  Fixpoint symbol_induction (g : symbol) : P g.
  Proof.
    destruct g as [k|f p q]; [apply variables|].
    assert (M : forall m : monomial, forall x, In x m -> P (fst x)).
    { fix IH 1. intros [|[h e] m] x I; [destruct I | destruct I as [<-|I]; [exact (symbol_induction h) | exact (IH m x I)]]. }
    assert (A : forall p : poly, every p).
    { fix IH 1. intros [|[m c] r] t I; [destruct I | destruct I as [<-|I]; [exact (M m) | exact (IH r t I)]]. }
    apply others; apply A.
  Qed.
End Induction.

Lemma pval_nil : forall v, pval v [] = 0. Proof. reflexivity. Qed.
Lemma pval_cons : forall v m c p, pval v ((m, c) :: p) = IZR c * mval v m + pval v p. Proof. reflexivity. Qed.
Lemma mval_nil : forall v, mval v [] = 1. Proof. reflexivity. Qed.
Lemma mval_cons : forall v h e m, mval v ((h, e) :: m) = symbol_value v h ^ Pos.to_nat e * mval v m.
Proof. reflexivity. Qed.

Lemma also_eq : forall x y, also x y = Eq -> x = Eq /\ y = Eq.
Proof. intros [] y H; simpl in H; auto; discriminate. Qed.
Lemma number_of_eq : forall f g, number_of f = number_of g -> f = g.
Proof. intros [d| | | | |] [d'| | | | |] H; unfold number_of in H; auto; try lia. f_equal. lia. Qed.
Lemma mcmp_of : forall m, (forall x, In x m -> forall h, symbol_cmp (fst x) h = Eq -> fst x = h) ->
  forall n, mcmp m n = Eq -> m = n.
Proof.
  induction m as [|[x e] m IH]; intros A [|[y d] n] H; cbn [mcmp] in H; try discriminate; auto.
  destruct (symbol_cmp x y) eqn:E; try discriminate. apply also_eq in H as [H1 H2]. apply Pos.compare_eq in H1.
  apply (A (x, e)) in E; [|left; auto]. simpl in E. subst. f_equal. apply IH; auto. intros z I. apply A. right; auto.
Qed.
Lemma pcmp_of : forall p, (forall t, In t p -> forall x, In x (fst t) -> forall h, symbol_cmp (fst x) h = Eq -> fst x = h)
  -> forall q, pcmp p q = Eq -> p = q.
Proof.
  induction p as [|[m c] p IH]; intros A [|[n d] q] H; cbn [pcmp] in H; try discriminate; auto.
  apply also_eq in H as [H1 H2]. apply also_eq in H2 as [H2 H3]. apply Z.compare_eq in H2. subst.
  apply mcmp_of in H1; [|intros; eapply (A (m, d)); [left; auto | auto | auto]]. subst. f_equal.
  apply IH; auto. intros t I. apply A. right; auto.
Qed.
Lemma symbol_cmp_eq : forall g h, symbol_cmp g h = Eq -> g = h.
Proof.
  induction g as [k|f p q P Q] using symbol_induction; intros [j|f' p' q'] H; try discriminate.
  - simpl in H. apply Nat.compare_eq in H. subst. auto.
  - change (also (Pos.compare (number_of f) (number_of f')) (also (pcmp p p') (pcmp q q')) = Eq) in H.
    apply also_eq in H as [H1 H]. apply also_eq in H as [H2 H3].
    apply Pos.compare_eq, number_of_eq in H1. apply pcmp_of in H2; auto. apply pcmp_of in H3; auto. subst. auto.
Qed.
Lemma mcmp_eq : forall m n, mcmp m n = Eq -> m = n.
Proof. intros m n. apply mcmp_of. intros. apply symbol_cmp_eq. auto. Qed.
Lemma pcmp_eq : forall p q, pcmp p q = Eq -> p = q.
Proof. intros p q. apply pcmp_of. intros. apply symbol_cmp_eq. auto. Qed.

(* Arithmetic. The greatest monomial comes first. *)

Fixpoint mmul (m : monomial) : monomial -> monomial :=
  match m with
  | [] => fun n => n
  | (x, e) :: m' => fix with_m (n : monomial) : monomial :=
      match n with
      | [] => m
      | (y, d) :: n' =>
          match symbol_cmp x y with
          | Eq => (x, (e + d)%positive) :: mmul m' n' | Lt => (x, e) :: mmul m' n | Gt => (y, d) :: with_m n'
          end
      end
  end.
Fixpoint padd (p : poly) : poly -> poly :=
  match p with
  | [] => fun q => q
  | (m, c) :: p' => fix with_p (q : poly) : poly :=
      match q with
      | [] => p
      | (n, d) :: q' =>
          match mcmp m n with
          | Eq => if (c + d =? 0)%Z then padd p' q' else (m, (c + d)%Z) :: padd p' q'
          | Gt => (m, c) :: padd p' q
          | Lt => (n, d) :: with_p q'
          end
      end
  end.
Definition pscale (m : monomial) (c : Z) (p : poly) : poly := map (fun t => (mmul m (fst t), (c * snd t)%Z)) p.
Definition popp (p : poly) : poly := map (fun t => (fst t, (- snd t)%Z)) p.
Definition psub (p q : poly) : poly := padd p (popp q).
(* Sums are taken in pairs, since a sum costs as much as its longer part. *)
Fixpoint pairwise (l : list poly) : list poly :=
  match l with p :: q :: l' => padd p q :: pairwise l' | _ => l end.
Fixpoint psum (fuel : nat) (l : list poly) : poly :=
  match l, fuel with [], _ => [] | [p], _ => p | _, O => fold_right padd [] l | _, S n => psum n (pairwise l) end.
Definition pmul (p q : poly) : poly :=
  match p, q with
  | [(m, c)], _ => if (c =? 0)%Z then [] else pscale m c q
  | _, [(m, c)] => if (c =? 0)%Z then [] else pscale m c p
  | _, _ => psum 20 (map (fun t => pscale (fst t) (snd t) q) p)
  end.
Definition const (c : Z) : poly := if (c =? 0)%Z then [] else [([], c)].
Definition one : poly := [([], 1%Z)].
Definition single (g : symbol) : poly := [([(g, 1%positive)], 1%Z)].
Definition var (k : nat) : poly := single (Var k).
Fixpoint ppow (p : poly) (n : nat) : poly := match n with O => one | S O => p | S n' => pmul p (ppow p n') end.
Definition peq (p q : poly) : bool := match pcmp p q with Eq => true | _ => false end.
Definition is_nil {A} (l : list A) : bool := match l with [] => true | _ => false end.

Lemma mval_mul : forall v m n, mval v (mmul m n) = mval v m * mval v n.
Proof.
  induction m as [|[x e] m IH]; intros n. { rewrite mval_nil. simpl. ring. }
  induction n as [|[y d] n IHn]. { cbn [mmul]. rewrite mval_nil. ring. }
  cbn [mmul]. destruct (symbol_cmp x y) eqn:E.
  - apply symbol_cmp_eq in E. subst. rewrite !mval_cons, IH, Pos2Nat.inj_add, pow_add. ring.
  - rewrite !mval_cons, IH, mval_cons. ring.
  - rewrite !mval_cons. cbn [mmul] in IHn. rewrite IHn, mval_cons. ring.
Qed.
Lemma pval_add : forall v p q, pval v (padd p q) = pval v p + pval v q.
Proof.
  induction p as [|[m c] p IH]; intros q. { rewrite pval_nil. simpl. ring. }
  induction q as [|[n d] q IHq]. { cbn [padd]. rewrite pval_nil. ring. }
  cbn [padd]. destruct (mcmp m n) eqn:E.
  - apply mcmp_eq in E. subst. destruct (c + d =? 0)%Z eqn:Z.
    + apply Z.eqb_eq in Z. assert (IZR d = - IZR c) by (rewrite <- opp_IZR; f_equal; lia).
      rewrite IH, !pval_cons, H. ring.
    + rewrite !pval_cons, IH, plus_IZR. ring.
  - rewrite (pval_cons v n). cbn [padd] in IHq. rewrite IHq, !pval_cons. ring.
  - rewrite pval_cons, IH, !pval_cons. ring.
Qed.
Lemma pval_scale : forall v m c p, pval v (pscale m c p) = IZR c * mval v m * pval v p.
Proof.
  unfold pscale. induction p as [|[n d] p IH]; cbn [map fst snd]. { rewrite pval_nil. ring. }
  rewrite !pval_cons, IH, mval_mul, mult_IZR. ring.
Qed.
Lemma pval_opp : forall v p, pval v (popp p) = - pval v p.
Proof.
  unfold popp. induction p as [|[m c] p IH]; cbn [map fst snd]. { rewrite pval_nil. ring. }
  rewrite !pval_cons, IH, opp_IZR. ring.
Qed.
Lemma pval_sub : forall v p q, pval v (psub p q) = pval v p - pval v q.
Proof. intros. unfold psub. rewrite pval_add, pval_opp. ring. Qed.
Definition total v (l : list poly) : R := fold_right (fun p s => pval v p + s) 0 l.
Lemma total_pairwise : forall v l, total v (pairwise l) = total v l.
Proof.
  intros v. fix IH 1. intros [|p [|q l]]; [reflexivity | reflexivity |]. cbn [pairwise total fold_right]. fold (total v (pairwise l)) (total v l).
  rewrite IH, pval_add. unfold total. ring.
Qed.
Lemma psum_total : forall v fuel l, pval v (psum fuel l) = total v l.
Proof.
  assert (F : forall v l, pval v (fold_right padd [] l) = total v l).
  { induction l; simpl; auto. rewrite pval_add, IHl. auto. }
  induction fuel; intros [|p [|q l]]; cbn [psum]; try apply F; try (unfold total; simpl; lra).
  rewrite IHfuel. apply (total_pairwise v (p :: q :: l)).
Qed.
Lemma pval_mul : forall v p q, pval v (pmul p q) = pval v p * pval v q.
Proof.
  intros. assert (G : pval v (psum 20 (map (fun t => pscale (fst t) (snd t) q) p)) = pval v p * pval v q).
  { rewrite psum_total. induction p as [|[m c] p IH]; cbn [map total fold_right fst snd]. { rewrite pval_nil. ring. }
    fold (total v (map (fun t => pscale (fst t) (snd t) q) p)). rewrite IH, pval_scale, pval_cons. ring. }
  assert (Z : forall m c r, pval v (if (c =? 0)%Z then [] else pscale m c r) = pval v [(m, c)] * pval v r).
  { intros. rewrite pval_cons, pval_nil. destruct (Z.eqb_spec c 0).
    - subst. rewrite pval_nil. ring.
    - rewrite pval_scale. ring. }
  unfold pmul. destruct p as [|[m c] [|]]; [..|]; try exact (Z m c q); destruct q as [|[n d] [|]]; try exact G;
    rewrite Z; ring.
Qed.
Lemma pval_const : forall v c, pval v (const c) = IZR c.
Proof.
  intros. unfold const. destruct (Z.eqb_spec c 0); [subst; apply pval_nil | rewrite pval_cons, pval_nil, mval_nil; ring].
Qed.
Lemma pval_one : forall v, pval v one = 1.
Proof. intros. unfold one. rewrite pval_cons, mval_nil, pval_nil. ring. Qed.
Lemma pval_single : forall v g, pval v (single g) = symbol_value v g.
Proof. intros. unfold single. rewrite pval_cons, mval_cons, mval_nil, pval_nil. simpl. ring. Qed.
Lemma pval_var : forall v k, pval v (var k) = v k.
Proof. intros. apply pval_single. Qed.
Lemma pval_pow : forall v p n, pval v (ppow p n) = pval v p ^ n.
Proof.
  induction n as [|[|n] IH]. { apply pval_one. } { simpl. ring. }
  change (ppow p (S (S n))) with (pmul p (ppow p (S n))). rewrite pval_mul, IH. reflexivity.
Qed.
Lemma peq_eq : forall p q, peq p q = true -> p = q.
Proof. unfold peq. intros p q H. destruct (pcmp p q) eqn:E; try discriminate. apply pcmp_eq. auto. Qed.
