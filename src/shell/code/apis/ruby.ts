import {
  asCommand,
  type CodeOutcome,
  connects,
  enters,
  evaluates,
  moves,
  opens,
  queries,
  runs,
  starts,
  touches,
  touchesAll,
} from '../outcome.ts'
import { type CodeCall, formOf, textOf } from '../values.ts'
import { table } from './table.ts'

export const RUBY = table(
  ['system exec spawn Kernel.system Kernel.exec Kernel.spawn Process.spawn PTY.spawn', starts()],
  [
    'Open3.capture2 Open3.capture2e Open3.capture3 Open3.popen2 Open3.popen2e Open3.popen3 Open3.pipeline',
    starts(),
  ],
  ['Dir.chdir FileUtils.cd FileUtils.chdir cd', enters()],
  ['IO.popen ` .popen', runs()],
  [
    `
      File.delete File.unlink Dir.rmdir Dir.delete Dir.unlink FileUtils.rm FileUtils.rm_f rm rm_f
      FileUtils.rmdir
    `,
    touchesAll('delete'),
  ],
  ['.rm_rf .rm_r .remove_entry .remove_entry_secure .remove_dir .rmtree', touches('delete', 0, true)],
  ["''.unlink ''.delete", touches('delete', 'receiver')],
  ['File.rename FileUtils.mv FileUtils.move', moves()],
  ['File.write IO.write File.binwrite File.truncate FileUtils.touch', touches('write')],
  ['File.read IO.read File.readlines File.binread File.foreach IO.readlines', touches('read')],
  ['File.open File.new', opens()],
  ['open', opensRuby],
  [
    'FileUtils.cp FileUtils.cp_r FileUtils.copy FileUtils.ln_s File.symlink',
    (call) => [...touches('read')(call), ...touches('write', 1)(call)],
  ],
  ['File.chmod FileUtils.chmod', asCommand('chmod', 0, 1)],
  ['FileUtils.chmod_R', (call) => asCommand('chmod', 0, 1)(call)],
  ['Process.kill', asCommand('kill', 1)],
  ['Net::HTTP.get Net::HTTP.get_response URI.open Net::HTTP.start HTTParty.get', connects('in')],
  ['Net::HTTP.post Net::HTTP.post_form TCPSocket.new TCPSocket.open HTTParty.post', connects('out')],
  ['.execute .exec_query .query', queries()],
  ['eval instance_eval class_eval Kernel.eval', evaluates('ruby')],
)

/** `open('|code')` runs it. */
function opensRuby(call: CodeCall): readonly CodeOutcome[] {
  const name = textOf(call.args[0])
  if (name?.startsWith('|') === true)
    return [
      { kind: 'code', forms: [formOf({ kind: 'text', form: [{ kind: 'text', text: name.slice(1) }] })] },
    ]
  return /^https?:/.test(name ?? '') ? connects('in')(call) : opens()(call)
}
