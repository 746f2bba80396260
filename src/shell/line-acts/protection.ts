import type { ActEffect } from '../vocabulary/effect.ts'
import { rowsOf } from './row.ts'

const OFF: ActEffect = {
  kind: 'system-change',
  act: 'system/protection',
  what: 'switches off a program that protects or watches the machine',
}

/** Services and processes that watch a machine or keep its records. */
const WATCHERS =
  '(?:auditd?|apparmor|selinux|clam(?:d|av)\\S*|freshclam|falcon-?sensor|falcond?|crowdstrike\\S*|mdatp|wdavdaemon|' +
  'sentinel(?:one|d)?\\S*|osqueryd?|wazuh\\S*|ossec\\S*|fail2ban\\S*|falco\\S*|sysmon\\S*|r?syslogd?|syslog-ng|' +
  'systemd-journald|cbdaemon|cbagentd|carbonblack\\S*|ds_agent|esets?\\S*|sophos\\S*|savd|xagt|tanium\\S*|qualys\\S*|' +
  'nessus\\S*|aide|tripwire|snort|suricata|jamf\\S*|xprotect\\S*|santad?|littlesnitch\\S*|lulu|firewalld|ufw|nftables|' +
  'iptables|windefend|wdnissvc|sense|mpssvc|wscsvc|securityhealthservice|msmpeng|eventlog|wuauserv|vss)'
const watcher = (before: string, after = ''): RegExp =>
  new RegExp(
    `${before}(?:\\S*[\\s/.])?${WATCHERS}(?:\\.service|\\.socket|\\.plist|\\.exe)?(?=["'\\s]|$)${after}`,
    'i',
  )

export const PROTECTION_ACTS = rowsOf(
  OFF,
  ['ufw', /\blogging\s+off\b|\bdefault\s+allow\s+incoming\b/],
  ['mdatp', /\bdisabled?\b|\bexclusion\s+\w+\s+add\b|\bpassive-mode\b|\bthreat\s+allowed\s+add\b/],
  [
    'tmutil',
    /\b(?:disable|disablelocal|deletelocalsnapshots|delete|removedestination|addexclusion)\b/,
    'switches off or removes the backups of this Mac',
  ],
  ['falconctl', /\b(?:uninstall|unload|stop)\b|-d\s+-f\s+--(?:aid|cid)|--apd=|-s\b.*--\w+=.*(?:true|none)/],
  ['sentinelctl', /\b(?:unload|unprotect|disable|stop|control\s+(?:stop|uninstall))\b/],
  ['systemctl', watcher('\\b(?:stop|disable|mask|kill)\\b.*\\s')],
  ['service rc-service', watcher('^', '.*\\bstop\\b')],
  ['update-rc.d chkconfig', watcher('', '.*\\b(?:disable|remove|off)\\b')],
  ['launchctl', watcher('\\b(?:unload|bootout|disable|remove|stop|kill)\\b.*')],
  ['pkill killall kill taskkill', watcher('')],
  ['sc sc.exe', watcher('\\b(?:stop|delete|config)\\b.*')],
  ['net net1', watcher('\\bstop\\b.*')],
  ['auditctl', /(?:^|\s)-e\s*0\b|(?:^|\s)-D\b/],
  ['aa-disable aa-complain', /./],
  ['setsebool', /./, undefined, /\bon\s*$|=1\s*$/],
  [
    'sysctl',
    /(?:randomize_va_space|kptr_restrict|dmesg_restrict|yama\.ptrace_scope|unprivileged_bpf_disabled|tcp_syncookies)\s*=\s*0/,
  ],
  ['defaults', /\bwrite\b.*(?:LSQuarantine|AutomaticCheckEnabled|CriticalUpdateInstall|globalstate)\b/],
  ['softwareupdate', /--schedule\s+off\b/],
  ['fdesetup', /^disable\b/],
  ['manage-bde', /-(?:off|disable)\b/i],
  ['kextunload', /./],
  ['set-mppreference', /-Disable\w+\s+(?:\$?true|1)|-(?:Exclusion\w+|SubmitSamplesConsent|MAPSReporting)\b/i],
  ['add-mppreference', /-(?:Exclusion\w+|AttackSurfaceReduction\w+)\b/i],
  ['remove-mppreference', /-AttackSurfaceReduction\w+/i],
  ['mpcmdrun', /-RemoveDefinitions|-DisableService/i],
  ['set-netfirewallprofile', /-Enabled\s+(?:\$?false|0)/i],
  ['disable-netfirewallrule remove-netfirewallrule', /./],
  ['stop-service set-service', watcher('')],
  ['stop-process', watcher('')],
  ['uninstall-windowsfeature disable-windowsoptionalfeature', /Defender|Sysmon|Firewall/i],
  [
    'reg',
    /\b(?:add|delete)\b.*(?:DisableAntiSpyware|DisableRealtimeMonitoring|DisableAntiVirus|EnableLUA|\\Windows Defender\b|EnableFirewall|ScriptBlockLogging|SmartScreenEnabled|TamperProtection)/i,
  ],
  [
    'set-itemproperty new-itemproperty',
    /DisableAntiSpyware|DisableRealtimeMonitoring|EnableLUA|ScriptBlockLogging|\\Windows Defender\b/i,
  ],
  ['fltmc', /\bunload\b/i],
  [
    'bcdedit',
    /(?:recoveryenabled\s+no|bootstatuspolicy\s+ignoreallfailures|testsigning\s+on|nointegritychecks\s+on)/i,
  ],
  ['auditpol', /\/(?:clear|remove)\b|\/(?:success|failure):disable/i],
  ['wevtutil', /\b(?:sl|set-log)\b.*\/e:false/i],
  ['netsh', /\b(?:advfirewall|firewall)\b.*\b(?:off|disable)\b/i],
  ['snapper timeshift', /\bdelete(?:-all)?\b|--delete-all\b/, 'removes the snapshots of this machine'],
)
