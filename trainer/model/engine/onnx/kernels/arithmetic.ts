import { add, binary, cast, expand, mul, reshape, sub, unary } from '../ops';
import { broadcast, node, scalar, sizeOf, type Value } from '../value';
import { kernel } from './register';

const floatDivideFloor = (a: Value, b: Value): Value =>
  unary('Floor', binary('Div', cast(a, 'float32'), cast(b, 'float32'), 'float32'));

export function registerArithmetic(): void {
  for (const [name, op] of Object.entries({
    Add: 'Add',
    Sub: 'Sub',
    Multiply: 'Mul',
    Maximum: 'Max',
    Minimum: 'Min',
    Pow: 'Pow',
  })) {
    kernel(name, (on) => binary(op, on('a'), on('b'), on('a').dtype));
  }
  kernel('Prelu', (on) => binary('PRelu', cast(on('x'), 'float32'), on('alpha'), 'float32'));
  kernel('RealDiv', (on) => binary('Div', cast(on('a'), 'float32'), cast(on('b'), 'float32'), 'float32'));
  kernel('FloorDiv', (on) => cast(floatDivideFloor(on('a'), on('b')), 'int32'));
  kernel('Atan2', (on) => {
    const [y, x] = [cast(on('a'), 'float32'), cast(on('b'), 'float32')];
    const shape = broadcast(y.shape, x.shape);
    const where = (condition: Value, then: Value, other: Value): Value =>
      node('Where', [condition, then, other], shape, 'float32');
    const isNegative = (v: Value): Value => binary('Less', v, scalar(0), 'bool');
    const angle = unary('Atan', binary('Div', y, x, 'float32'));
    const turned = add(angle, node('Where', [isNegative(y), scalar(-Math.PI), scalar(Math.PI)], y.shape, 'float32'));
    const isZero = (v: Value): Value => binary('Equal', v, scalar(0), 'bool');
    const quarter = node('Where', [isNegative(y), scalar(-Math.PI / 2), scalar(Math.PI / 2)], y.shape, 'float32');
    const straight = node('Where', [isZero(y), scalar(0), quarter], y.shape, 'float32');
    return where(isZero(x), expand(straight, shape), where(isNegative(x), turned, angle));
  });
  kernel('Mod', (on) => {
    const [a, b] = [on('a'), on('b')];
    return a.dtype === 'int32' ? binary('Mod', a, b, 'int32') : sub(a, mul(b, floatDivideFloor(a, b)));
  });
  kernel('SquaredDifference', (on) => {
    const d = sub(on('a'), on('b'));
    return mul(d, d);
  });
  kernel('AddN', (on) => on.list().reduce((sum, x) => add(sum, x)));

  const comparisons = {
    Greater: 'Greater',
    GreaterEqual: 'GreaterOrEqual',
    Less: 'Less',
    LessEqual: 'LessOrEqual',
    Equal: 'Equal',
  };
  // ONNX orders no bools
  const comparable = (v: Value): Value => (v.dtype === 'bool' ? cast(v, 'int32') : v);
  for (const [name, op] of Object.entries(comparisons))
    kernel(name, (on) => binary(op, comparable(on('a')), comparable(on('b')), 'bool'));
  kernel('NotEqual', (on) => unary('Not', binary('Equal', comparable(on('a')), comparable(on('b')), 'bool')));
  for (const [name, op] of Object.entries({ LogicalAnd: 'And', LogicalOr: 'Or', LogicalXor: 'Xor' }))
    kernel(name, (on) => binary(op, cast(on('a'), 'bool'), cast(on('b'), 'bool'), 'bool'));
  kernel('LogicalNot', (on) => unary('Not', cast(on('x'), 'bool')));

  kernel('Select', (on) => {
    const [condition, t, e] = [on('condition'), on('t'), on('e')];
    // a vector condition chooses whole rows
    const isOfRows = condition.shape.length === 1 && t.shape.length > 1;
    const chosen = isOfRows ? reshape(condition, [condition.shape[0]!, ...t.shape.slice(1).map(() => 1)]) : condition;
    // a fill may broadcast from one number as long as something else has the full shape
    const isFull = sizeOf(chosen.shape) === sizeOf(t.shape);
    const thin = (v: Value, other: Value): Value =>
      v.kind === 'fill' && (isFull || other.kind !== 'fill') ? scalar(v.fill, v.dtype) : v;
    const dtype = t.dtype === 'bool' ? 'int32' : t.dtype; // ONNX Runtime has no Where on bools
    return cast(node('Where', [chosen, cast(thin(t, e), dtype), cast(thin(e, t), dtype)], t.shape, dtype), t.dtype);
  });
}
