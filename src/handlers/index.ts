// Every way to run a hook, with what it says about itself. The table equals the folders: a gate checks it.
export { kind as callable } from './callable/kind.ts'
export { kind as command } from './command/kind.ts'
export { kind as contract } from './contract/kind.ts'
export { kind as guard } from './guard/kind.ts'
export { kind as http } from './http/kind.ts'
export { kind as module } from './module/kind.ts'
export { kind as rule } from './rule/kind.ts'
