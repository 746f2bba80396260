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
} from '../outcome.ts'
import type { CodeCall } from '../values.ts'
import { table } from './table.ts'

export const JAVASCRIPT = table(
  [
    `
      child_process.exec .execSync .execaCommand .execaCommandSync .doShellScript shelljs.exec shell.exec
      Bun.$ $ sh
    `,
    runs(),
  ],
  // JavaScript for Automation: `osascript -l JavaScript`.
  ['$.system $.popen .doScript', runs()],
  ['.launchedTaskWithLaunchPathArguments', starts()],
  ['.runScript .initWithSource', evaluates('applescript')],
  ['.keystroke', typed],
  ['.removeItemAtPathError .removeItemAtURLError', touches('delete', 0, true)],
  ['.delete', thrownAway],
  [
    `
      child_process.execFile child_process.spawn exec spawn execFile .spawnSync .execFileSync execa execaSync
      Deno.Command
    `,
    startsScript,
  ],
  ['Bun.spawn Bun.spawnSync Deno.run', startsBun],
  ['shelljs.rm shell.rm', (call) => asCommand('rm', ...call.args.keys())(call)],
  ['fs.rm .rmSync fs.rmdir .rmdirSync Deno.remove Deno.removeSync', touches('delete', 0, 'recursive')],
  ['fs.unlink .unlinkSync unlink', touches('delete')],
  [
    `
      rimraf rimraf.sync rimrafSync .removeSync fs.remove fs.emptyDir .emptyDirSync del deleteAsync
      .deleteSync
    `,
    touches('delete', 0, true),
  ],
  [
    `
      fs.writeFile .writeFileSync fs.appendFile .appendFileSync .createWriteStream fs.truncate .truncateSync
      Deno.writeTextFile .writeTextFileSync Bun.write fs.outputFile .outputFileSync
    `,
    touches('write'),
  ],
  [
    'fs.readFile .readFileSync .createReadStream Deno.readTextFile .readTextFileSync Bun.file',
    touches('read'),
  ],
  ['process.chdir .chdir shelljs.cd shell.cd', enters()],
  ['fs.open .openSync', opens()],
  ['fs.rename .renameSync fs.move .moveSync', moves()],
  [
    'fs.copyFile .copyFileSync fs.cp .cpSync fs.copy .copySync fs.symlink .symlinkSync fs.link .linkSync',
    (call) => [...touches('read')(call), ...touches('write', 1)(call)],
  ],
  ['fs.chmod .chmodSync', asCommand('chmod', 1, 0)],
  ['fs.chown .chownSync', asCommand('chown', 1, 0)],
  ['process.kill', asCommand('kill', 0)],
  ['fetch http.get https.get axios.get axios got', connects('in')],
  [
    `
      http.request https.request axios.post axios.put axios.patch axios.delete net.connect
      net.createConnection net.Socket().connect tls.connect
    `,
    connects('out'),
  ],
  ['.query .execute .exec .raw .$executeRawUnsafe .$queryRawUnsafe', queries()],
  ['eval Function vm.runInNewContext vm.runInThisContext vm.Script', evaluates('javascript')],
)

/** `exec` and `spawn` reached through a name we do not know: text for a shell, or a program with its list. */
function startsScript(call: CodeCall): readonly CodeOutcome[] {
  const [, second] = call.args
  const options = [second, call.args[2]].find((each) => each?.kind === 'list' && each.named.has('args'))
  if (options?.kind === 'list')
    return starts()({
      ...call,
      args: [call.args[0] ?? { kind: 'unknown', text: '' }, options.named.get('args') ?? options],
    })
  const isText = /(^|\.)exec$/.test(call.name) && second?.kind !== 'list'
  return isText ? runs()({ ...call, args: call.args.slice(0, 1) }) : starts()(call)
}

/** Text that is typed into whatever window is in front: a terminal, perhaps. */
function typed({ args: [text] }: CodeCall): readonly CodeOutcome[] {
  return text?.kind === 'text' ? [{ kind: 'code', forms: [text.form], guessed: true }] : []
}

/** `Application("Finder").delete(Path("/x"))` puts it where `trash` does; any other `delete` is of a table or a request. */
function thrownAway(call: CodeCall): readonly CodeOutcome[] {
  const { receiver } = call
  if (receiver?.kind !== 'thing' || receiver.made?.name !== 'Application') return []
  return asCommand('trash', 0)(call)
}

function startsBun(call: CodeCall): readonly CodeOutcome[] {
  const [first] = call.args
  const inner = first?.kind === 'list' ? first.named.get('cmd') : undefined
  return runs()({ ...call, args: [inner ?? first ?? { kind: 'unknown', text: '' }] })
}
