import { namedFiles, type ShellEffect } from '../../vocabulary/effect.ts'
import { exactText } from '../../words/words.ts'
import { fetched } from '../network/net.ts'
import { each, type Program, type ProgramCall, type ProgramTable, saying } from '../program.ts'
import { printLaunch, printsToVariable } from '../shells/zsh.ts'
import { PROTECTION_OFF } from '../system/acts.ts'
import { WINDOWS_LOADER } from './acts.ts'

const HOST = /(?:https?|ftp):\/\/([\w.-]+)/i
const ADDRESS = /(?:https?|ftp):\/\/|\\\\[\w.-]+\\|\/\/[\w.-]+\//i

/** A folder of another machine. */
const SHARE = /\\\\[\w.-]+\\/

/** `certutil -urlcache -f address file`, `bitsadmin /transfer name address file`. */
function fetching(words: RegExp): NonNullable<Program['does']> {
  return ({ command }) => {
    const texts = command.args.map((word) => exactText(word) ?? '')
    const at = texts.findIndex((word) => HOST.test(word))
    if (at < 0 || !texts.some((word) => words.test(word))) return []
    const host = HOST.exec(texts[at] ?? '')?.[1]
    const target = command.args[at + 1]
    if (target === undefined) return [fetched(host, 'nothing')]
    return namedFiles(target, command.cwd).flatMap((file): readonly ShellEffect[] => [
      fetched(host, file),
      { kind: 'write', ...file },
    ])
  }
}

/** `mshta https://…`, `regsvr32 /i:https://… x.dll`, `rundll32 javascript:…`: what is there is run. */
function loading({ name, command }: ProgramCall): readonly ShellEffect[] {
  const line = command.args.map((word) => exactText(word) ?? '').join(' ')
  const address = HOST.exec(line)?.[0]
  if (address !== undefined) return [{ kind: 'exec', from: 'network', what: `runs what ${address} sends` }]
  return /\b(javascript|vbscript):/i.test(line)
    ? [{ kind: 'exec', from: 'unknown', what: `runs the script in the words of ${name}` }]
    : []
}

/** Programs of Windows that do more than their name says. Found in every collection of attacks. */
export const LOADERS: ProgramTable = {
  certutil: {
    does: fetching(/^[-/](urlcache|verifyctl)$/i),
    lines: [
      [
        { ...WINDOWS_LOADER, what: 'fetches or decodes a file with a program for certificates' },
        /[-/](?:urlcache|verifyctl|decode(?:hex)?|ping|url)\b/i,
      ],
    ],
  },
  bitsadmin: {
    does: fetching(/^[-/](transfer|addfile)$/i),
    lines: [
      [
        { ...WINDOWS_LOADER, what: 'fetches a file or starts a program in the background' },
        /\/(?:transfer|addfile|create|setnotifycmdline|resume)\b/i,
      ],
    ],
  },
  mshta: {
    does: loading,
    lines: [[{ ...WINDOWS_LOADER, what: 'runs a script or a page as a program' }, /./]],
  },
  regsvr32: {
    does: loading,
    lines: [
      [
        { ...WINDOWS_LOADER, what: 'loads a library or script and runs it' },
        /[-/]i:|scrobj|https?:|\\\\|\.(?:sct|txt|jpe?g|png)\b/i,
      ],
    ],
  },
  rundll32: {
    does: loading,
    lines: [
      [
        { ...WINDOWS_LOADER, what: 'starts code inside a library' },
        /javascript:|vbscript:|mshtml|comsvcs|minidump|url\.dll|advpack|ieadvpack|zipfldr|pcwutl|shell32\.dll\s*,\s*(?:ShellExec|Control_Run)|dfshim|syssetup|setupapi|https?:|\\\\|(?:temp|appdata|users\\public|downloads)\\/i,
      ],
    ],
  },
  mpcmdrun: {
    lines: [
      [PROTECTION_OFF, /-RemoveDefinitions|-DisableService/i],
      [WINDOWS_LOADER, /https?:|-DownloadFile\b/i],
    ],
  },
  ...each(saying(WINDOWS_LOADER), {
    certreq: /[-/]Post\b.*https?:/i,
    installutil: [/./, /^\/\?$/],
    'regasm regsvcs': /\/U\b|https?:|\\\\|(?:temp|appdata)\\/i,
    cmstp: /\/(?:s|ni|au)\b|\.inf\b/i,
    msiexec: /(?:https?|ftp):\/\/|\\\\[\w.-]+\\|[-/]y\s|[-/]z\s/i,
    odbcconf: /regsvr|[-/]f\b|[-/]a\b/i,
    forfiles: /[-/]c\b/i,
    pcalua: /-a\b/i,
    'hh ieexec': ADDRESS,
    'presentationhost xwizard scriptrunner syncappvpublishingserver mavinject runscripthelper infdefaultinstall atbroker bginfo dxcap fsi fsianycpu gpscript ie4uinit microsoft.workflow.compiler register-scheduledtask register-scheduledjob':
      /./,
    control: /\.(?:cpl|dll)\b.*(?:temp|appdata|:)/i,
    desktopimgdownldr: /lockscreenurl/i,
    esentutl: /[-/]y\b/i,
    'extrac32 expand': /\\\\[\w.-]+\\|https?:/i,
    finger: /@/,
    'wscript cscript':
      /\/e:|https?:|\\\\|\.(?:vbs|vbe|jse|wsf|wsh|sct)\b|(?:temp|appdata|users\\public)[\\/]/i,
    diskshadow: /[-/]s\b|\bexec\b/i,
    dnscmd: /serverlevelplugindll/i,
    'psexec psexec64 paexec': /\\\\|-s\b|-i\b/,
    'winrm winrs': /\binvoke\b|-r:|-remote:/i,
    wuauclt: /RunHandlerComServer/i,
    'appvlp squirrel update': /--(?:download|processStart|update)\b|https?:/i,
    replace: SHARE,
    'ms-appinstaller appinstaller': /https?:/i,
    'imewdbld configsecuritypolicy': /https?:|-DownloadFile\b/i,
    'start-bitstransfer': /https?:|-Source\b/i,
    'invoke-wmimethod invoke-cimmethod': /\bcreate\b/i,
  }),
  // In zsh it prints, and may run what it prints.
  print: { lines: [[WINDOWS_LOADER, SHARE]], starts: printLaunch, changesShell: printsToVariable },
  msbuild: {
    lines: [
      [WINDOWS_LOADER, ADDRESS],
      [WINDOWS_LOADER, /(?:temp|appdata|users\\public)[\\/]/i],
    ],
  },
  ...each(saying({ ...WINDOWS_LOADER, what: 'lists the saved logins' }), {
    cmdkey: /\/list/i,
  }),
  ...each(saying({ ...WINDOWS_LOADER, what: 'copies the passwords of the domain' }), {
    ntdsutil: /\bifm\b|snapshot/i,
  }),
}
