import {
  asCommand,
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
import { textOf } from '../values.ts'
import { table } from './table.ts'

export const PHP = table(
  [
    'system exec shell_exec passthru popen proc_open `',
    (call) => runs()({ ...call, args: call.args.slice(0, 1) }),
  ],
  ['pcntl_exec', starts()],
  ['unlink rmdir', touches('delete')],
  ['chdir', enters()],
  ['rename', moves()],
  ['file_put_contents touch', touches('write')],
  [
    'file_get_contents file readfile highlight_file show_source fpassthru',
    (call) => (/^https?:/.test(textOf(call.args[0]) ?? '') ? connects('in')(call) : touches('read')(call)),
  ],
  ['fopen', opens()],
  ['copy symlink link', (call) => [...touches('read')(call), ...touches('write', 1)(call)]],
  ['chmod', asCommand('chmod', 1, 0)],
  ['chown', asCommand('chown', 1, 0)],
  ['curl_init', connects('in')],
  ['mail mb_send_mail', connects('out')],
  ['fsockopen', connects('out')],
  ['.query .exec mysqli_query pg_query', queries()],
  ['eval assert create_function', evaluates('php')],
)

export const LUA = table(
  ['os.execute io.popen', runs()],
  ['os.remove', touches('delete')],
  ['lfs.chdir', enters()],
  ['os.rename', moves()],
  ['io.open', opens()],
  ['io.lines io.input', touches('read')],
  ['io.output', touches('write')],
  ['load loadstring', evaluates('lua')],
)

export const R = table(
  ['system shell shell.exec', runs()],
  ['system2', starts()],
  ['unlink', touches('delete', 0, 'recursive')],
  ['file.remove', touchesAll('delete')],
  ['setwd', enters()],
  ['file.rename', moves()],
  ['writeLines', touches('write', 1)],
  ['readLines readRDS read.csv scan', touches('read')],
  ['download.file url', connects('in')],
)
