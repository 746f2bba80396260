import {
  type ApiEffect,
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
} from '../outcome.ts'
import { textOf } from '../values.ts'
import { table } from './table.ts'

/** `fileinput.input(files, inplace=True)`: what is printed goes back into the files. */
const inPlace: ApiEffect = (call) => {
  const given = call.named.get('inplace') ?? call.args[1]
  const writes = given !== undefined && !/^(?:0|false|none)$/i.test(textOf(given) ?? '')
  return call.args.length === 0 ? [] : touches(writes ? 'write' : 'read')(call)
}

export const PYTHON = table(
  [
    `
      os.system CDLL().system ctypes.CDLL().system os.popen commands.getoutput popen2.popen2 .getstatusoutput
      .create_subprocess_shell pty.spawn
    `,
    runs(),
  ],
  ['subprocess.run subprocess.call subprocess.getoutput .check_call .check_output .Popen', runs()],
  ['os.execl os.execlp os.execle os.execlpe', starts(0, 1)],
  ['os.execv os.execvp os.execve os.execvpe os.posix_spawn os.posix_spawnp', starts(0, 1)],
  ['os.spawnl os.spawnlp os.spawnle os.spawnv os.spawnvp os.spawnve', starts(1, 1)],
  ['.create_subprocess_exec', starts()],
  ['os.remove os.unlink os.rmdir os.removedirs', touches('delete')],
  ["''.unlink ''.rmdir Path().unlink Path().rmdir", touches('delete', 'receiver')],
  ['.rmtree .remove_tree send2trash', touches('delete', 0, true)],
  ['os.rename os.replace os.renames shutil.move', moves()],
  ["''.rename ''.replace_with", moves('receiver', 0)],
  ['os.chdir contextlib.chdir', enters()],
  ['os.truncate os.mknod', touches('write')],
  [
    'shutil.copy shutil.copy2 shutil.copyfile shutil.copytree os.link os.symlink',
    (call) => [...touches('read')(call), ...touches('write', 1)(call)],
  ],
  ["''.write_text ''.write_bytes ''.touch", touches('write', 'receiver')],
  ["''.read_text ''.read_bytes", touches('read', 'receiver')],
  ["''.open", opens('receiver', 0)],
  ['open io.open codecs.open os.open', opens()],
  ['fileinput.input fileinput.FileInput', inPlace],
  [
    'dotenv.dotenv_values dotenv_values',
    (call) =>
      call.args.length > 0
        ? touches('read')(call)
        : [{ kind: 'file', access: 'read', form: [{ kind: 'text', text: '.env' }], recursive: false }],
  ],
  ['os.chmod', asCommand('chmod', 1, 0)],
  [
    "''.chmod",
    (call) =>
      asCommand(
        'chmod',
        0,
        1,
      )({
        ...call,
        args: [...call.args.slice(0, 1), ...(call.receiver === undefined ? [] : [call.receiver])],
      }),
  ],
  ['os.chown shutil.chown', asCommand('chown', 1, 0)],
  ['os.kill', asCommand('kill', 0)],
  [
    `
      urllib.request.urlopen urllib.urlopen urlopen requests.get requests.head httpx.get
      urllib.request.urlretrieve urlretrieve
    `,
    connects('in'),
  ],
  ['requests.post requests.put requests.patch requests.delete httpx.post httpx.put', connects('out')],
  ['requests.request httpx.request', connects('out', 1)],
  [
    `
      http.client.HTTPConnection http.client.HTTPSConnection ftplib.FTP smtplib.SMTP .create_connection
      telnetlib.Telnet
    `,
    connects('out'),
  ],
  [
    '.connect',
    (call) => (call.args[0]?.kind === 'list' && /socket/.test(call.name) ? connects('out')(call) : []),
  ],
  ['.execute .executescript .exec_driver_sql .raw', queries()],
  ['exec eval compile runpy.run_path', evaluates('python')],
)
