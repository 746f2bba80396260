import { type HandlerKind, typeWords } from '../../core/handler-kind.ts'

export const kind: HandlerKind = {
  timeoutMs: 2_000,
  section: 'hooks',
  namesCode: () => true,
  verb: 'runs',
  describe: typeWords,
}
