import { isSet, readOptions, valuesOf } from '../../arguments/options.ts'
import { codeRun } from '../../vocabulary/launch.ts'
import { leavesCopies } from '../files/placing.ts'
import { reached } from '../files/reached.ts'
import { copied, remoteHost } from '../network/net.ts'
import { program } from '../program.ts'
import { synced, unpackedInto } from './unpacking.ts'

const RSYNC = `
  a|archive r|recursive v|verbose q|quiet z|compress n|dry-run list-only h help version delete
  del|delete-during delete-before delete-after delete-delay delete-excluded delete-missing-args
  remove-source-files remove-sent-files ignore-errors force P progress partial stats l|links L|copy-links
  p|perms t|times g|group o|owner D H A X u|update c|checksum x|one-file-system R|relative b|backup
  i|itemize-changes S|sparse e|rsh= f|filter= F exclude= exclude-from= include= include-from= files-from= T=
  rsync-path= backup-dir= suffix= chmod= chown= bwlimit= timeout= port= log-file= password-file= compare-dest=
  copy-dest= link-dest= temp-dir= max-size= min-size= B= max-delete= out-format= usermap= groupmap= info=
  debug= modify-window= partial-dir= M|remote-option= iconv= skip-compress= compress-level= compress-choice=
  contimeout=
`

export const rsync = program('rsync', {
  does: ({ command: { args, cwd } }) => {
    const read = readOptions(args, RSYNC)
    if (['dry-run', 'list-only', 'help', 'version'].some((name) => isSet(read, name))) return []
    const sources = read.operands.slice(0, -1)
    const target = read.operands.at(-1)
    if (target === undefined || sources.length === 0) return []
    const deletes = read.options.some((option) => /^(del|delete)(-|$)/.test(option.name))
    const moves = read.options.some((option) => /^remove-(source|sent)-files$/.test(option.name))
    const local = sources.filter((word) => remoteHost(word) === undefined)
    const taken = moves ? local.flatMap((word) => reached('delete', word, cwd, { recursive: true })) : []
    const isRemote = remoteHost(target) !== undefined
    const made = isRemote ? [] : unpackedInto(target, cwd)
    return [...made, ...taken, ...(deletes ? synced(target, cwd, isRemote) : [])]
  },
  sends: ({ args, cwd }) => {
    const read = readOptions(args, RSYNC)
    if (read.options.some((option) => option.name === 'dry-run')) return []
    const deep = read.options.some((option) => ['archive', 'recursive'].includes(option.name))
    const touchesNetwork = read.operands.some((word) => remoteHost(word) !== undefined)
    return touchesNetwork ? copied(read.operands, cwd, deep).filter((effect) => effect.kind === 'net') : []
  },
  // `-e` is the program to connect with, `--rsync-path` the code to run on the other side.
  starts: ({ name, args }) => {
    const read = readOptions(args, RSYNC)
    const runs = [
      ...valuesOf(read, 'rsh').map((word) => codeRun(`${name} -e`, word.forms, { shell: 'child' })),
      ...valuesOf(read, 'rsync-path').map((word) =>
        codeRun(`${name} --rsync-path`, word.forms, { shell: 'child', remote: 'rsync' }),
      ),
    ]
    return runs.length === 0 ? undefined : { own: args.length, runs }
  },
  files: { writesLast: true, keys: /^(-[a-zA-Z]*e|--rsh)$/ },
  unpacks: true,
  leaves: leavesCopies,
})
