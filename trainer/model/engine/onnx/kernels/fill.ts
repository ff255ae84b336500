import { fill, leaf, type DType } from '../value';
import { kernel } from './register';

export function registerFill(): void {
  kernel<{ shape: number[]; value: number; dtype?: DType }>('Fill', (on) =>
    typeof on.attrs.value === 'string' ? on.host() : fill(on.attrs.shape, on.attrs.value, on.attrs.dtype ?? 'float32'),
  );
  kernel('ZerosLike', (on) => fill(on('x').shape, 0, on('x').dtype));
  kernel('OnesLike', (on) => fill(on('x').shape, 1, on('x').dtype));
  kernel<{ start: number; stop: number; step: number; dtype?: DType }>('Range', (on) => {
    const { start, stop, dtype = 'float32' } = on.attrs;
    const step = stop < start && on.attrs.step === 1 ? -1 : on.attrs.step; // tfjs' default step counts down too
    const values = Array.from({ length: Math.max(0, Math.ceil((stop - start) / step)) }, (_, i) => start + i * step);
    return leaf(dtype === 'int32' ? Int32Array.from(values) : Float32Array.from(values), [values.length], dtype);
  });
  kernel<{ start: number; stop: number; num: number }>('LinSpace', (on) => {
    const { start, stop, num } = on.attrs;
    return leaf(
      Float32Array.from({ length: num }, (_, i) => (num === 1 ? start : start + ((stop - start) * i) / (num - 1))),
      [num],
      'float32',
    );
  });
}
