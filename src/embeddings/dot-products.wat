;; Multiplies vectors of signed bytes with the vector of a question, 16 components at a time. The question has 16 bits per
;; component and zeros up to a multiple of 16, so that what follows a vector does not count. Compiled in dot-products.ts:
;; npx -p wabt wat2wasm dot-products.wat --output=- | base64 -w 0
(module
  (memory (export "memory") 1)
  (func (export "multiply") (param $question i32) (param $vector i32) (param $count i32) (param $dimensions i32) (param $out i32)
    (local $at i32) (local $components v128) (local $sum v128)
    (loop $vectors
      (local.set $sum (v128.const i32x4 0 0 0 0))
      (local.set $at (i32.const 0))
      (loop $chunks
        (local.set $components (v128.load align=1 (i32.add (local.get $vector) (local.get $at))))
        (local.set $sum
          (i32x4.add
            (local.get $sum)
            (i32x4.add
              (i32x4.dot_i16x8_s
                (i16x8.extend_low_i8x16_s (local.get $components))
                (v128.load (i32.add (local.get $question) (i32.shl (local.get $at) (i32.const 1)))))
              (i32x4.dot_i16x8_s
                (i16x8.extend_high_i8x16_s (local.get $components))
                (v128.load offset=16 (i32.add (local.get $question) (i32.shl (local.get $at) (i32.const 1))))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br_if $chunks (i32.lt_u (local.get $at) (local.get $dimensions))))
      (i32.store (local.get $out)
        (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
          (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
      (local.set $vector (i32.add (local.get $vector) (local.get $dimensions)))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $vectors (local.get $count)))))
