import { type OptionText, readOptions, valuesOf } from '../../arguments/options.ts'
import { codeRun, type Launcher } from '../../vocabulary/launch.ts'

/** A program some of whose options are shell code. */
export function codeInOptions(options: OptionText, ...names: readonly string[]): Launcher {
  return ({ name, args }) => {
    const read = readOptions(args, options)
    const runs = names.flatMap((option) =>
      valuesOf(read, option).map((value) =>
        codeRun(`${name} ${option.length === 1 ? '-' : '--'}${option}`, value.forms, { shell: 'child' }),
      ),
    )
    return runs.length === 0 ? undefined : { own: args.length, runs }
  }
}
