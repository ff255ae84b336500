import { add, binary, cast, mul, sub, unary } from '../ops';
import { fill, node, scalar } from '../value';
import { kernel } from './register';

/** Kernels that ONNX has under the same name. */
const same = ['Abs', 'Acos', 'Acosh', 'Asin', 'Asinh', 'Atan', 'Atanh', 'Ceil', 'Cos', 'Cosh', 'Elu', 'Erf', 'Exp', 'Floor', 'Log', 'Reciprocal', 'Relu', 'Round', 'Selu', 'Sigmoid', 'Sign', 'Sin', 'Sinh', 'Softplus', 'Sqrt', 'Tan', 'Tanh'];

export function registerUnary(): void {
  for (const name of same) kernel(name, (on) => unary(name, on('x')));
  kernel('Neg', (on) => {
    const x = on('x');
    return x.kind === 'fill' ? fill(x.shape, -x.fill, x.dtype) : unary('Neg', x);
  });
  kernel('Square', (on) => mul(on('x'), on('x')));
  kernel('Rsqrt', (on) => unary('Reciprocal', unary('Sqrt', on('x'))));
  kernel('Log1p', (on) => unary('Log', add(on('x'), scalar(1))));
  kernel('Expm1', (on) => sub(unary('Exp', on('x')), scalar(1)));
  kernel('IsNan', (on) => node('IsNaN', [on('x')], on('x').shape, 'bool'));
  kernel('IsInf', (on) => node('IsInf', [on('x')], on('x').shape, 'bool'));
  kernel('IsFinite', (on) => unary('Not', binary('Or', node('IsNaN', [on('x')], on('x').shape, 'bool'), node('IsInf', [on('x')], on('x').shape, 'bool'), 'bool')));
  kernel('Relu6', (on) => node('Clip', [on('x'), scalar(0), scalar(6)], on('x').shape, 'float32'));
  kernel<{ alpha: number }>('LeakyRelu', (on) => node('LeakyRelu', [on('x')], on('x').shape, 'float32', { alpha: { float: on.attrs.alpha } }));
  kernel<{ clipValueMin: number; clipValueMax: number }>('ClipByValue', (on) => {
    const x = on('x');
    return node('Clip', [x, scalar(on.attrs.clipValueMin, x.dtype), scalar(on.attrs.clipValueMax, x.dtype)], x.shape, x.dtype);
  });
  kernel<{ alpha?: number }>('Step', (on) => {
    const above = cast(binary('Greater', on('x'), scalar(0), 'bool'), 'float32');
    const { alpha = 0 } = on.attrs;
    return alpha === 0 ? above : add(above, mul(sub(scalar(1), above), scalar(alpha)));
  });
  kernel('EluGrad', (on) => {
    const y = on('y');
    return mul(on('dy'), node('Where', [binary('GreaterOrEqual', y, scalar(0), 'bool'), scalar(1), add(y, scalar(1))], y.shape, 'float32'));
  });
}
