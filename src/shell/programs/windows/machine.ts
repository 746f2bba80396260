import { exactText, type Word } from '../../words/words.ts'
import { TUNNEL } from '../network/acts.ts'
import { each, type Program, type ProgramTable, saying } from '../program.ts'
import {
  CHANGE_KERNEL,
  PROTECTION,
  PROTECTION_OFF,
  SCHEDULE,
  STOP_SERVICE,
  TRACES,
  TRACES_REMOVED,
} from '../system/acts.ts'
import { REMOVE_VOLUME } from '../system/disk-acts.ts'
import { when } from '../system/machine.ts'
import { asksForHelp } from '../system/scheduling.ts'
import { SERVICE_CONTROL } from '../system/services.ts'
import { changesWindowsUsers } from '../system/users.ts'
import { watcher } from '../system/watchers.ts'
import { WINDOWS_LOADER } from './acts.ts'

/** The copies from which files can be brought back. */
function snapshots(deletes: RegExp): Program {
  return {
    does: ({ command }) =>
      deletes.test(command.args.map((word) => exactText(word) ?? '$').join(' ')) ? [REMOVE_VOLUME] : [],
  }
}

/** Services, protection, the registry and the disks of Windows. */
export const WINDOWS_MACHINE: ProgramTable = {
  vssadmin: {
    ...snapshots(/^(delete shadows|resize shadowstorage)\b/i),
    lines: [
      [
        { ...WINDOWS_LOADER, what: 'removes the copies from which Windows could bring files back' },
        /\bdelete\s+shadows\b|\bresize\s+shadowstorage\b/i,
      ],
    ],
  },
  wmic: {
    ...snapshots(/^shadowcopy\b.*\bdelete\b/i),
    lines: [
      [
        { ...WINDOWS_LOADER, what: 'starts a program through the management service' },
        /\bprocess\s+call\s+create\b|\/format:["']?\S*(?:https?:|\.xsl)|\/node:|\bproduct\s+where\b.*\bcall\s+uninstall\b/i,
      ],
    ],
  },
  wbadmin: snapshots(/^delete\b/i),
  netsh: {
    does: when(/ (advfirewall|firewall) (set|delete|add|reset|import) /i, PROTECTION, true),
    lines: [
      [PROTECTION_OFF, /\b(?:advfirewall|firewall)\b.*\b(?:off|disable)\b/i],
      [TUNNEL, /\binterface\s+portproxy\s+add\b/i],
    ],
  },
  wevtutil: {
    does: when(/ (cl|clear-log) /i, TRACES),
    lines: [
      [PROTECTION_OFF, /\b(?:sl|set-log)\b.*\/e:false/i],
      [TRACES_REMOVED, /\b(?:cl|clear-log)\b/i],
    ],
  },
  bcdedit: {
    does: when(/ \/(delete|set|deletevalue|import|create) /i, CHANGE_KERNEL),
    lines: [
      [
        PROTECTION_OFF,
        /(?:recoveryenabled\s+no|bootstatuspolicy\s+ignoreallfailures|testsigning\s+on|nointegritychecks\s+on)/i,
      ],
    ],
  },
  net: {
    does: (call) =>
      /^stop$/i.test(exactText(call.command.args[0]) ?? '') ? [STOP_SERVICE] : changesWindowsUsers(call),
    lines: [[PROTECTION_OFF, watcher('\\bstop\\b.*')]],
  },
  ...each(saying(PROTECTION_OFF), {
    net1: watcher('\\bstop\\b.*'),
    'sc.exe': watcher('\\b(?:stop|delete|config)\\b.*'),
    taskkill: watcher(''),
    'manage-bde': /-(?:off|disable)\b/i,
    'set-mppreference': /-Disable\w+\s+(?:\$?true|1)|-(?:Exclusion\w+|SubmitSamplesConsent|MAPSReporting)\b/i,
    'add-mppreference': /-(?:Exclusion\w+|AttackSurfaceReduction\w+)\b/i,
    'remove-mppreference': /-AttackSurfaceReduction\w+/i,
    'set-netfirewallprofile': /-Enabled\s+(?:\$?false|0)/i,
    'disable-netfirewallrule remove-netfirewallrule': /./,
    'stop-service set-service stop-process': watcher(''),
    'uninstall-windowsfeature disable-windowsoptionalfeature': /Defender|Sysmon|Firewall/i,
    'set-itemproperty new-itemproperty':
      /DisableAntiSpyware|DisableRealtimeMonitoring|EnableLUA|ScriptBlockLogging|\\Windows Defender\b/i,
    fltmc: /\bunload\b/i,
    auditpol: /\/(?:clear|remove)\b|\/(?:success|failure):disable/i,
  }),
  sc: { acts: SERVICE_CONTROL, lines: [[PROTECTION_OFF, watcher('\\b(?:stop|delete|config)\\b.*')]] },
  reg: {
    does: (call) => (asksForHelp(call) ? [] : registry(call.command.args)),
    lines: [
      [
        PROTECTION_OFF,
        /\b(?:add|delete)\b.*(?:DisableAntiSpyware|DisableRealtimeMonitoring|DisableAntiVirus|EnableLUA|\\Windows Defender\b|EnableFirewall|ScriptBlockLogging|SmartScreenEnabled|TamperProtection)/i,
      ],
      [
        { ...WINDOWS_LOADER, what: 'makes a program start by itself' },
        /\badd\b.*\\(?:Run|RunOnce|Image File Execution Options|Winlogon|AppInit_DLLs)\b/i,
      ],
    ],
  },
  ...each(saying(TRACES_REMOVED), {
    'clear-eventlog remove-eventlog limit-eventlog clear-history': /^/,
    fsutil: /\busn\s+deletejournal\b/i,
  }),
}

/** Keys whose values are started when a person logs in. */
const STARTS =
  /currentversion\\+(run|runonce|runservices|winlogon|policies\\+explorer\\+run|image file execution options)(\\|["']|$)/i

/** What all programs of the machine, or all of a person's, keep there. */
const MACHINE_KEYS = /^["']?(HKLM|HKEY_LOCAL_MACHINE|HKCR|HKEY_CLASSES_ROOT|HKCU\\+Software["']?$)/i
const REGISTRY = { ...CHANGE_KERNEL, what: 'deletes settings of the machine from the registry' }

/** The shell takes the backslashes out of a key without quotes; whoever wrote it meant them. */
function registry(args: readonly Word[]) {
  const [verb, key] = args
  if (/^delete$/i.test(exactText(verb) ?? '')) return MACHINE_KEYS.test(key?.source ?? '') ? [REGISTRY] : []
  if (!/^(add|import|copy|restore)$/i.test(exactText(verb) ?? '')) return []
  return STARTS.test(key?.source ?? '') ? [SCHEDULE] : []
}
