(* What a measure is: a formula over the cells of a confusion matrix, written as data, and its value.

   This file is one of the two that have to be believed; the other is Statements.v. Everything else is proved from them. *)
From Coq Require Import Reals ZArith List.
Import ListNotations.
Local Open Scope R_scope.

Inductive comparing := Equal | Less | AtMost.

(* Cell k of a matrix with m classes is its cell (k / m, k mod m), with true classes as rows. *)
Inductive expr :=
| Const (p : Z) (q : positive)                                   (* the number p / q *)
| Cell (k : nat)
| Ref (k : nat)                                                  (* the value of the k-th formula of the list below *)
| Add (a b : expr) | Sub (a b : expr) | Mul (a b : expr) | Min (a b : expr) | Max (a b : expr)
| Div (a b rule : expr)                                          (* a / b, and what holds where b = 0 *)
| Root (d : positive) (a : expr)
| Log (a : expr) | Exp (a : expr) | Arccos (a : expr) | Arcsin (a : expr) | Pi
| If (t : comparing) (a b x y : expr)                            (* x if a compares with b, and else y *)
| IfDefined (a x y : expr)                                       (* x if a has a value, and else y *)
| Undefined.

(* The formulas of a measure: each may refer to earlier ones, and the last one is the measure. *)
Definition formulas := list expr.

Definition bind (x : option R) (f : R -> option R) := match x with Some u => f u | None => None end.

Definition decide (t : comparing) (u v : R) : bool :=
  match t with
  | Equal => if Req_EM_T u v then true else false
  | Less => if Rlt_dec u v then true else false
  | AtMost => if Rle_dec u v then true else false
  end.

Definition root (d : positive) (u : R) : R := if Rlt_dec 0 u then Rpower u (/ IZR (Zpos d)) else 0.

(* The value of a formula on cells c, where earlier formulas have the values `known`; None: undefined *)
Fixpoint eval (c : nat -> R) (known : list (option R)) (e : expr) : option R :=
  let two a b f := bind (eval c known a) (fun u => bind (eval c known b) (fun v => f u v)) in
  match e with
  | Const p q => Some (IZR p / IZR (Zpos q))
  | Cell k => Some (c k)
  | Ref k => nth k known None
  | Add a b => two a b (fun u v => Some (u + v))
  | Sub a b => two a b (fun u v => Some (u - v))
  | Mul a b => two a b (fun u v => Some (u * v))
  | Min a b => two a b (fun u v => Some (Rmin u v))
  | Max a b => two a b (fun u v => Some (Rmax u v))
  | Div a b rule => two a b (fun u v => if Req_EM_T v 0 then eval c known rule else Some (u / v))
  | Root d a => bind (eval c known a) (fun u => if Rlt_dec u 0 then None else Some (root d u))
  | Log a => bind (eval c known a) (fun u => if Rle_dec u 0 then None else Some (ln u))
  | Exp a => bind (eval c known a) (fun u => Some (exp u))
  | Arccos a => bind (eval c known a) (fun u => if Rlt_dec 1 (Rabs u) then None else Some (acos u))
  | Arcsin a => bind (eval c known a) (fun u => if Rlt_dec 1 (Rabs u) then None else Some (asin u))
  | Pi => Some PI
  | If t a b x y =>
      match eval c known a, eval c known b with
      | Some u, Some v => if decide t u v then eval c known x else eval c known y
      | _, _ => eval c known y
      end
  | IfDefined a x y => match eval c known a with Some _ => eval c known x | None => eval c known y end
  | Undefined => None
  end.

Definition values (c : nat -> R) (f : formulas) : list (option R) :=
  fold_left (fun known e => known ++ [eval c known e]) f [].
Definition value (c : nat -> R) (f : formulas) : option R := last (values c f) None.

(* Lower is better: the statements are about the measure with its sign reversed. *)
Definition reversed (f : formulas) : formulas := f ++ [Sub (Const 0 1) (Ref (pred (length f)))].

(* What a root is, as a check of its definition *)
Lemma root_spec : forall d u, 0 <= u -> 0 <= root d u /\ root d u ^ Pos.to_nat d = u.
Proof.
  intros d u H. unfold root. destruct (Rlt_dec 0 u) as [P|P].
  - split. { apply Rlt_le, exp_pos. }
    rewrite <- Rpower_pow by apply exp_pos. rewrite Rpower_mult, INR_IZR_INZ, positive_nat_Z.
    rewrite Rinv_l, Rpower_1 by (auto; apply IZR_neq; discriminate). reflexivity.
  - assert (u = 0) by (apply Rle_antisym; [apply Rnot_lt_le; auto | auto]). subst u. split. { apply Rle_refl. }
    apply pow_ne_zero. intro E. pose proof (Pos2Nat.is_pos d) as N. rewrite E in N. inversion N.
Qed.
