;; Escapes bytes of UTF-8 as JSON strings do, sixteen at once. escapeModule.ts holds this as a module; its spec compares the two.
;; The caller fills the memory: 8 bytes from 8 × N on with the escape of byte N, and its length at 1024 + N.
(module
  (memory (export "memory") 17)
  ;; Writes the bytes between $from and $end to $to, and the border in the place of each LF. Returns where they end. Up to 32 bytes
  ;; beyond both ends are read and written.
  (func (export "escape")
    (param $from i32) (param $end i32) (param $to i32) (param $border i32) (param $borderLength i32) (result i32)
    (local $bytes v128) (local $special i32) (local $byte i32) (local $left i32) (local $at i32)
    (loop $sixteen
      (local.set $bytes (v128.load (local.get $from)))
      (v128.store (local.get $to) (local.get $bytes))
      ;; a bit for each control character, quotation mark and backslash
      (local.set $special
        (i8x16.bitmask
          (v128.or
            (i8x16.lt_u (local.get $bytes) (i8x16.splat (i32.const 0x20)))
            (v128.or
              (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x22)))
              (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x5c)))))))
      ;; none beyond the end
      (local.set $left (i32.sub (local.get $end) (local.get $from)))
      (if (i32.lt_s (local.get $left) (i32.const 16))
        (then
          (local.set $special
            (i32.and (local.get $special) (i32.sub (i32.shl (i32.const 1) (local.get $left)) (i32.const 1))))))
      (if (local.get $special)
        (then
          (loop $each
            (local.set $at (i32.ctz (local.get $special)))
            (local.set $special (i32.and (local.get $special) (i32.sub (local.get $special) (i32.const 1))))
            (local.set $byte (i32.load8_u (i32.add (local.get $from) (local.get $at))))
            ;; byte $at of $from goes to byte $at of $to, which moves on by what the escape is longer
            (if (i32.eq (local.get $byte) (i32.const 0x0a))
              (then
                (memory.copy (i32.add (local.get $to) (local.get $at)) (local.get $border) (local.get $borderLength))
                (local.set $to (i32.add (local.get $to) (i32.sub (local.get $borderLength) (i32.const 1)))))
              (else
                (i64.store (i32.add (local.get $to) (local.get $at)) (i64.load (i32.shl (local.get $byte) (i32.const 3))))
                (local.set $to
                  (i32.add (local.get $to) (i32.sub (i32.load8_u offset=1024 (local.get $byte)) (i32.const 1))))))
            (v128.store offset=1
              (i32.add (local.get $to) (local.get $at))
              (v128.load offset=1 (i32.add (local.get $from) (local.get $at))))
            (br_if $each (local.get $special)))))
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (br_if $sixteen (i32.lt_u (local.get $from) (local.get $end))))
    ;; without what was written beyond the end
    (i32.sub (local.get $to) (i32.sub (local.get $from) (local.get $end)))))
