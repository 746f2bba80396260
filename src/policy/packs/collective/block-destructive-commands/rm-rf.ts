import { isSet, readOptions } from '../../../../shell/arguments/options.ts'
import { isCommand } from '../../../../shell/vocabulary/command.ts'
import { patternGuard } from './command-guard.ts'

const RM = `
  r|R|recursive f|force d|dir v|verbose i I interactive=? one-file-system P W x preserve-root=?
  no-preserve-root help version
`

/** A recursive `rm` that does not ask, with any spelling of its options and any target. */
export const rmRf = patternGuard({
  id: 'collective/block-destructive-commands/rm-rf',
  title: 'Deleting folders with rm -rf',
  why: 'It deletes whole folders without asking, and they cannot be restored.',
  instead: 'delete single files with `rm`, or let the user delete the folder.',
  mentions: /\brm\b/,
  maybe: 'may delete folders without asking',
  examples: {
    stops: [
      'rm -rf build',
      'rm -fr build',
      'rm -r -f build',
      'rm -Rf build',
      'rm -vrf build dist',
      'rm --recursive --force build',
      'rm --rec --fo build',
      'rm build -rf',
      '/bin/rm -rf build',
      'command rm -rf build',
      '"r"m -"r"f build',
      'F=-rf; rm $F build',
      'find . -name dist -exec rm -rf {} +',
      'ls | xargs rm -rf',
      'ssh host rm -rf /srv',
      'cd build && rm -rf ./*',
    ],
    passes: [
      'rm build.log',
      'rm -f build.log',
      'rm -r build',
      'rm -ri build',
      'rm my-report-rf.pdf',
      'rm -- -rf',
      'rm -rf --help',
      'rmdir build',
      'echo rm -rf foo',
      'git commit -m "never rm -rf build"',
      'grep -rn "rm -rf" scripts',
      'npm run format src',
      'ls # rm -rf build',
      'git rm -r --cached build',
    ],
  },
  find(command) {
    const is = isCommand(command, 'rm')
    if (is === 'no') return undefined
    const read = readOptions(command.args, RM)
    if (isSet(read, 'help') || isSet(read, 'version') || read.operands.length === 0) return undefined
    const certain = isSet(read, 'recursive') && isSet(read, 'force')
    if (certain && is === 'yes') return { caught: 'deletes folders without asking (rm -rf)' }
    const [doubt] = read.doubtful
    if (certain)
      return {
        caught: 'deletes folders without asking (rm -rf)',
        unsure: 'the program name is known only at run time',
      }
    return is === 'yes' && doubt !== undefined
      ? { caught: 'may be rm -rf', unsure: `${doubt.source} may contain the options` }
      : undefined
  },
})
