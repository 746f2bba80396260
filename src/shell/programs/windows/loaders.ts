import { namedFiles, type ShellEffect } from '../../vocabulary/effect.ts'
import { exactText } from '../../words/words.ts'
import { fetched } from '../network/net.ts'
import type { Program, ProgramCall } from '../program.ts'
import { PROTECTION_OFF } from '../system/acts.ts'
import { WINDOWS_LOADER } from './acts.ts'

const HOST = /(?:https?|ftp):\/\/([\w.-]+)/i
const ADDRESS = /(?:https?|ftp):\/\/|\\\\[\w.-]+\\|\/\/[\w.-]+\//i

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
export const LOADERS: readonly Program[] = [
  {
    names: 'certutil',
    does: fetching(/^[-/](urlcache|verifyctl)$/i),
    lines: [
      [
        { ...WINDOWS_LOADER, what: 'fetches or decodes a file with a program for certificates' },
        /[-/](?:urlcache|verifyctl|decode(?:hex)?|ping|url)\b/i,
      ],
    ],
  },
  {
    names: 'bitsadmin',
    does: fetching(/^[-/](transfer|addfile)$/i),
    lines: [
      [
        { ...WINDOWS_LOADER, what: 'fetches a file or starts a program in the background' },
        /\/(?:transfer|addfile|create|setnotifycmdline|resume)\b/i,
      ],
    ],
  },
  {
    names: 'mshta',
    does: loading,
    lines: [[{ ...WINDOWS_LOADER, what: 'runs a script or a page as a program' }, /./]],
  },
  {
    names: 'regsvr32',
    does: loading,
    lines: [
      [
        { ...WINDOWS_LOADER, what: 'loads a library or script and runs it' },
        /[-/]i:|scrobj|https?:|\\\\|\.(?:sct|txt|jpe?g|png)\b/i,
      ],
    ],
  },
  {
    names: 'rundll32',
    does: loading,
    lines: [
      [
        { ...WINDOWS_LOADER, what: 'starts code inside a library' },
        /javascript:|vbscript:|mshtml|comsvcs|minidump|url\.dll|advpack|ieadvpack|zipfldr|pcwutl|shell32\.dll\s*,\s*(?:ShellExec|Control_Run)|dfshim|syssetup|setupapi|https?:|\\\\|(?:temp|appdata|users\\public|downloads)\\/i,
      ],
    ],
  },
  {
    names: 'mpcmdrun',
    lines: [
      [PROTECTION_OFF, /-RemoveDefinitions|-DisableService/i],
      [WINDOWS_LOADER, /https?:|-DownloadFile\b/i],
    ],
  },
  { names: 'certreq', lines: [[WINDOWS_LOADER, /[-/]Post\b.*https?:/i]] },
  { names: 'installutil', lines: [[WINDOWS_LOADER, /./, /^\/\?$/]] },
  { names: 'regasm regsvcs', lines: [[WINDOWS_LOADER, /\/U\b|https?:|\\\\|(?:temp|appdata)\\/i]] },
  {
    names: 'msbuild',
    lines: [
      [WINDOWS_LOADER, ADDRESS],
      [WINDOWS_LOADER, /(?:temp|appdata|users\\public)[\\/]/i],
    ],
  },
  { names: 'cmstp', lines: [[WINDOWS_LOADER, /\/(?:s|ni|au)\b|\.inf\b/i]] },
  { names: 'msiexec', lines: [[WINDOWS_LOADER, /(?:https?|ftp):\/\/|\\\\[\w.-]+\\|[-/]y\s|[-/]z\s/i]] },
  { names: 'odbcconf', lines: [[WINDOWS_LOADER, /regsvr|[-/]f\b|[-/]a\b/i]] },
  { names: 'forfiles', lines: [[WINDOWS_LOADER, /[-/]c\b/i]] },
  { names: 'pcalua', lines: [[WINDOWS_LOADER, /-a\b/i]] },
  { names: 'hh ieexec', lines: [[WINDOWS_LOADER, ADDRESS]] },
  {
    names:
      'presentationhost xwizard scriptrunner syncappvpublishingserver mavinject runscripthelper infdefaultinstall atbroker bginfo dxcap fsi fsianycpu gpscript ie4uinit microsoft.workflow.compiler register-scheduledtask register-scheduledjob',
    lines: [[WINDOWS_LOADER, /./]],
  },
  { names: 'control', lines: [[WINDOWS_LOADER, /\.(?:cpl|dll)\b.*(?:temp|appdata|:)/i]] },
  { names: 'desktopimgdownldr', lines: [[WINDOWS_LOADER, /lockscreenurl/i]] },
  { names: 'esentutl', lines: [[WINDOWS_LOADER, /[-/]y\b/i]] },
  { names: 'extrac32 expand', lines: [[WINDOWS_LOADER, /\\\\[\w.-]+\\|https?:/i]] },
  { names: 'finger', lines: [[WINDOWS_LOADER, /@/]] },
  {
    names: 'wscript cscript',
    lines: [
      [
        WINDOWS_LOADER,
        /\/e:|https?:|\\\\|\.(?:vbs|vbe|jse|wsf|wsh|sct)\b|(?:temp|appdata|users\\public)[\\/]/i,
      ],
    ],
  },
  { names: 'diskshadow', lines: [[WINDOWS_LOADER, /[-/]s\b|\bexec\b/i]] },
  { names: 'dnscmd', lines: [[WINDOWS_LOADER, /serverlevelplugindll/i]] },
  { names: 'psexec psexec64 paexec', lines: [[WINDOWS_LOADER, /\\\\|-s\b|-i\b/]] },
  { names: 'winrm winrs', lines: [[WINDOWS_LOADER, /\binvoke\b|-r:|-remote:/i]] },
  { names: 'wuauclt', lines: [[WINDOWS_LOADER, /RunHandlerComServer/i]] },
  {
    names: 'appvlp squirrel update',
    lines: [[WINDOWS_LOADER, /--(?:download|processStart|update)\b|https?:/i]],
  },
  { names: 'replace print', lines: [[WINDOWS_LOADER, /\\\\[\w.-]+\\/]] },
  { names: 'ms-appinstaller appinstaller', lines: [[WINDOWS_LOADER, /https?:/i]] },
  { names: 'imewdbld configsecuritypolicy', lines: [[WINDOWS_LOADER, /https?:|-DownloadFile\b/i]] },
  { names: 'cmdkey', lines: [[{ ...WINDOWS_LOADER, what: 'lists the saved logins' }, /\/list/i]] },
  {
    names: 'ntdsutil',
    lines: [[{ ...WINDOWS_LOADER, what: 'copies the passwords of the domain' }, /\bifm\b|snapshot/i]],
  },
  { names: 'start-bitstransfer', lines: [[WINDOWS_LOADER, /https?:|-Source\b/i]] },
  { names: 'invoke-wmimethod invoke-cimmethod', lines: [[WINDOWS_LOADER, /\bcreate\b/i]] },
]
