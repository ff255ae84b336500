import { registerArithmetic } from './arithmetic';
import { registerFill } from './fill';
import { registerGather, registerScatter } from './gather';
import { registerMatMul } from './matmul';
import { registerNn } from './nn';
import { registerReduce } from './reduce';
import { registerShape } from './shape';
import { registerUnary } from './unary';

let isDone = false;

/** tfjs' kernel registry is one per process: once is enough for every back end instance. */
export function registerKernels(): void {
  if (isDone) return;
  isDone = true;
  registerArithmetic();
  registerUnary();
  registerReduce();
  registerMatMul();
  registerShape();
  registerGather();
  registerScatter();
  registerFill();
  registerNn();
}
