import type { ActEffect } from '../vocabulary/effect.ts'
import { rowsOf } from './row.ts'

const LOADER: ActEffect = {
  kind: 'system-change',
  act: 'shell/windows-loader',
  what: 'uses a Windows program to fetch, decode or start code',
}

const ADDRESS = /(?:https?|ftp):\/\/|\\\\[\w.-]+\\|\/\/[\w.-]+\//i

/** Programs of Windows that do more than their name says. Found in every collection of attacks. */
export const WINDOWS_LOADERS = rowsOf(
  LOADER,
  [
    'certutil',
    /[-/](?:urlcache|verifyctl|decode(?:hex)?|ping|url)\b/i,
    'fetches or decodes a file with a program for certificates',
  ],
  ['certreq', /[-/]Post\b.*https?:/i],
  [
    'bitsadmin',
    /\/(?:transfer|addfile|create|setnotifycmdline|resume)\b/i,
    'fetches a file or starts a program in the background',
  ],
  ['mshta', /./, 'runs a script or a page as a program'],
  [
    'regsvr32',
    /[-/]i:|scrobj|https?:|\\\\|\.(?:sct|txt|jpe?g|png)\b/i,
    'loads a library or script and runs it',
  ],
  [
    'rundll32',
    /javascript:|vbscript:|mshtml|comsvcs|minidump|url\.dll|advpack|ieadvpack|zipfldr|pcwutl|shell32\.dll\s*,\s*(?:ShellExec|Control_Run)|dfshim|syssetup|setupapi|https?:|\\\\|(?:temp|appdata|users\\public|downloads)\\/i,
    'starts code inside a library',
  ],
  [
    'wmic',
    /\bprocess\s+call\s+create\b|\/format:["']?\S*(?:https?:|\.xsl)|\/node:|\bproduct\s+where\b.*\bcall\s+uninstall\b/i,
    'starts a program through the management service',
  ],
  ['installutil', /./, undefined, /^\/\?$/],
  ['regasm regsvcs', /\/U\b|https?:|\\\\|(?:temp|appdata)\\/i],
  ['msbuild', ADDRESS],
  ['msbuild', /(?:temp|appdata|users\\public)[\\/]/i],
  ['cmstp', /\/(?:s|ni|au)\b|\.inf\b/i],
  ['msiexec', /(?:https?|ftp):\/\/|\\\\[\w.-]+\\|[-/]y\s|[-/]z\s/i],
  ['odbcconf', /regsvr|[-/]f\b|[-/]a\b/i],
  ['forfiles', /[-/]c\b/i],
  ['pcalua', /-a\b/i],
  ['hh', ADDRESS],
  ['ieexec', ADDRESS],
  ['presentationhost', /./],
  ['control', /\.(?:cpl|dll)\b.*(?:temp|appdata|:)/i],
  ['desktopimgdownldr', /lockscreenurl/i],
  ['esentutl', /[-/]y\b/i],
  ['extrac32 expand', /\\\\[\w.-]+\\|https?:/i],
  ['finger', /@/],
  ['ftp', /-s:/i],
  [
    'wscript cscript',
    /\/e:|https?:|\\\\|\.(?:vbs|vbe|jse|wsf|wsh|sct)\b|(?:temp|appdata|users\\public)[\\/]/i,
  ],
  ['xwizard scriptrunner syncappvpublishingserver mavinject runscripthelper', /./],
  ['diskshadow', /[-/]s\b|\bexec\b/i],
  ['dnscmd', /serverlevelplugindll/i],
  ['psexec psexec64 paexec', /\\\\|-s\b|-i\b/],
  ['winrm winrs', /\binvoke\b|-r:|-remote:/i],
  ['wuauclt', /RunHandlerComServer/i],
  [
    'infdefaultinstall atbroker bginfo dxcap fsi fsianycpu gpscript ie4uinit microsoft.workflow.compiler',
    /./,
  ],
  ['appvlp squirrel update', /--(?:download|processStart|update)\b|https?:/i],
  ['replace print', /\\\\[\w.-]+\\/],
  ['ms-appinstaller appinstaller', /https?:/i],
  ['imewdbld configsecuritypolicy mpcmdrun', /https?:|-DownloadFile\b/i],
  [
    'reg',
    /\badd\b.*\\(?:Run|RunOnce|Image File Execution Options|Winlogon|AppInit_DLLs)\b/i,
    'makes a program start by itself',
  ],
  ['cmdkey', /\/list/i, 'lists the saved logins'],
  [
    'vssadmin',
    /\bdelete\s+shadows\b|\bresize\s+shadowstorage\b/i,
    'removes the copies from which Windows could bring files back',
  ],
  ['ntdsutil', /\bifm\b|snapshot/i, 'copies the passwords of the domain'],
  ['start-bitstransfer', /https?:|-Source\b/i],
  ['invoke-wmimethod', /\bcreate\b/i],
  ['invoke-cimmethod', /\bcreate\b/i],
  ['register-scheduledtask register-scheduledjob', /./],
)
