import { commandWords, type HandlerKind, lineIn, pythonIn } from '../../core/handler-kind.ts'

export const kind: HandlerKind = {
  timeoutMs: 10_000,
  section: 'hooks',
  namesCode: () => true,
  starts: (run) => pythonIn(run) ?? lineIn(run),
  verb: 'runs',
  describe: (run) => [commandWords(run)],
  written: {
    description: 'A program that reads the event on standard input and answers on standard output.',
    short: 'otherwise',
    keys: {
      command: {
        kind: 'line',
        accepted: 'a command',
        description: 'The program, or a shell command when there are no `args`.',
      },
      args: {
        kind: 'lines',
        accepted: 'a list of texts',
        description: 'Arguments, passed unchanged, without a shell.',
      },
      protocol: {
        kind: 'choice',
        of: ['claude', 'mux', 'massgen'],
        description: 'The format of the event on standard input. Default: claude.',
      },
    },
    read: ({ command = '', args, protocol = 'claude' }, root) => ({
      command,
      ...(args === undefined ? {} : { args }),
      protocol,
      root,
    }),
  },
}
