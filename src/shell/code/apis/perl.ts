import {
  asCommand,
  type CodeOutcome,
  connects,
  enters,
  evaluates,
  moves,
  runs,
  starts,
  touches,
  touchesAll,
} from '../outcome.ts'
import { type CodeCall, textOf } from '../values.ts'
import { table } from './table.ts'

export const PERL = table(
  ['system exec', starts()],
  ['` IPC::Open3.open3 IPC::Open2.open2', runs()],
  ['open3', starts(3)],
  ['open2', starts(2)],
  ['unlink rmdir', touchesAll('delete')],
  ['.rmtree .remove_tree .pathrmdir', touchesAll('delete', true)],
  ['rename move File::Copy.move', moves()],
  [
    'copy cp File::Copy.copy link symlink',
    (call) => [...touches('read')(call), ...touches('write', 1)(call)],
  ],
  ['chdir', enters()],
  ['truncate', touches('write')],
  ['open sysopen', opensPerl],
  ['chmod', asCommand('chmod', 0, 1)],
  ['chown', asCommand('chown', 0, 2)],
  ['kill', asCommand('kill', 0, 1)],
  [
    'get getstore LWP::Simple.get LWP::Simple.getstore',
    (call) => (/^https?:/.test(textOf(call.args[0]) ?? '') ? connects('in')(call) : []),
  ],
  ['.get', (call) => (/^https?:/.test(textOf(call.args[0]) ?? '') ? connects('in')(call) : [])],
  ['.post', (call) => (/^https?:/.test(textOf(call.args[0]) ?? '') ? connects('out')(call) : [])],
  ['IO::Socket::INET.new IO::Socket::SSL.new', connects('out')],
  ['eval do', (call) => (call.args[0]?.kind === 'list' ? [] : evaluates('perl')(call))],
)

/** `open(F, '>', path)`, `open(F, '>path')`, `open(F, 'code|')`, `open(F, '-|', code)`. */
function opensPerl(call: CodeCall): readonly CodeOutcome[] {
  const [, mode, path] = call.args
  const how = (textOf(mode) ?? '').trim()
  if (path !== undefined) {
    if (/\|/.test(how)) return starts(2)(call)
    return touches(/>|\+/.test(how) ? 'write' : 'read', 2)(call)
  }
  if (how.endsWith('|') || how.startsWith('|'))
    return [{ kind: 'code', forms: [[{ kind: 'text', text: how.replace(/^\||\|$/g, '') }]] }]
  const [, arrow = '', name = ''] = /^([+<>]*)\s*(.*)$/s.exec(how) ?? []
  return name === ''
    ? []
    : [
        {
          kind: 'file',
          access: arrow.includes('>') ? 'write' : 'read',
          form: [{ kind: 'text', text: name }],
          recursive: false,
        },
      ]
}
