import { add, binary, cast, mul, sub, unary } from '../ops';
import { fill, node, scalar } from '../value';
import { kernel } from './register';

/** Kernels that ONNX has under the same name. */
const ofFloats = [
  'Acos',
  'Acosh',
  'Asin',
  'Asinh',
  'Atan',
  'Atanh',
  'Cos',
  'Cosh',
  'Elu',
  'Erf',
  'Exp',
  'Log',
  'Reciprocal',
  'Selu',
  'Sigmoid',
  'Sin',
  'Sinh',
  'Softplus',
  'Sqrt',
  'Tan',
  'Tanh',
];

export function registerUnary(): void {
  for (const name of ofFloats) kernel(name, (on) => unary(name, cast(on('x'), 'float32')));
  for (const name of ['Abs', 'Relu']) kernel(name, (on) => unary(name, on('x')));
  for (const name of ['Ceil', 'Floor', 'Round'])
    kernel(name, (on) => (on('x').dtype === 'float32' ? unary(name, on('x')) : on('x')));
  // ONNX's Sign keeps NaN, tfjs' makes it 0
  kernel('Sign', (on) => {
    const x = on('x');
    return sub(
      cast(binary('Greater', x, scalar(0, x.dtype), 'bool'), x.dtype),
      cast(binary('Less', x, scalar(0, x.dtype), 'bool'), x.dtype),
    );
  });
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
  kernel('IsFinite', (on) =>
    unary(
      'Not',
      binary(
        'Or',
        node('IsNaN', [on('x')], on('x').shape, 'bool'),
        node('IsInf', [on('x')], on('x').shape, 'bool'),
        'bool',
      ),
    ),
  );
  kernel('Relu6', (on) =>
    node('Clip', [on('x'), scalar(0, on('x').dtype), scalar(6, on('x').dtype)], on('x').shape, on('x').dtype),
  );
  kernel<{ alpha: number }>('LeakyRelu', (on) =>
    node('LeakyRelu', [cast(on('x'), 'float32')], on('x').shape, 'float32', { alpha: { float: on.attrs.alpha } }),
  );
  kernel<{ clipValueMin: number; clipValueMax: number }>('ClipByValue', (on) => {
    const x = on('x');
    return node(
      'Clip',
      [x, scalar(on.attrs.clipValueMin, x.dtype), scalar(on.attrs.clipValueMax, x.dtype)],
      x.shape,
      x.dtype,
    );
  });
  kernel<{ alpha?: number }>('Step', (on) => {
    const x = on('x');
    const { alpha = 0 } = on.attrs;
    const step = node(
      'Where',
      [binary('Greater', x, scalar(0, x.dtype), 'bool'), scalar(1, x.dtype), scalar(alpha, x.dtype)],
      x.shape,
      x.dtype,
    );
    return x.dtype === 'float32'
      ? node('Where', [node('IsNaN', [x], x.shape, 'bool'), x, step], x.shape, x.dtype)
      : step;
  });
  kernel('EluGrad', (on) => {
    const y = on('y');
    return mul(
      on('dy'),
      node('Where', [binary('GreaterOrEqual', y, scalar(0), 'bool'), scalar(1), add(y, scalar(1))], y.shape, 'float32'),
    );
  });
}
