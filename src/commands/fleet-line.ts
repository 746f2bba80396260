import type { Command } from 'commander'
import type { Caller } from './caller.ts'
import { addCentral } from './central-line.ts'
import { HOME, many, UNATTENDED } from './line-options.ts'

/** The commands for many machines: signed policy, and the journal of all of them in one place. */
export function addFleet(caller: Caller, program: Command): void {
  const fleet = program
    .command('fleet')
    .description('Give many machines one signed policy, and collect their decisions in one place.')
  addMachine(caller, fleet)
  addBundle(
    caller,
    fleet.command('bundle').description('Build, sign, check and publish the policy of a fleet.'),
  )
  addCentral(caller, fleet)
  addKey(caller, fleet.command('key').description('The keys that sign the policy of a fleet.'))
}

function addMachine(caller: Caller, fleet: Command): void {
  fleet
    .command('enroll <url>')
    .description(
      'Make the policy at this address the managed policy of this machine. For people, or for root.',
    )
    .requiredOption('--key <public>', 'a public key that signs the policy (repeat it for several keys)', many)
    .option('--threshold <n>', 'how many of the keys must have signed (default: 1)')
    .option('--channel <channel>', 'which channel to follow (default: stable)')
    .option('--system', 'enroll the whole machine, in a folder that only root can change')
    .option('--collector <url>', 'send the journal of this machine to this collector')
    .option('--token-file <file>', 'a file with the enrollment token of the collector')
    .option('--label <name=value>', 'a label for the central views, such as team=payments', many)
    .option('--poll <seconds>', 'how often the daemon asks for changes (default: 120)')
    .option('--proxy <url>', 'the proxy for all requests of the fleet; variables are not read')
    .option('--ca <file>', 'a PEM file with more certificates to trust')
    .option('--authorization-file <file>', 'a file with the value of the header Authorization')
    .option('--insecure', 'allow plain http to another machine')
    .option('--yes', 'do not ask for confirmation')
    .addOption(HOME)
    .action(async (url, options) => (await import('./fleet/enroll.ts')).enroll(caller, url, options))
  fleet
    .command('unenroll')
    .description('End the enrollment of this machine. The journal stays.')
    .option('--system', 'the enrollment of the whole machine; needs root')
    .option('--yes', 'do not ask for confirmation')
    .addOption(UNATTENDED)
    .addOption(HOME)
    .action(async (options) => (await import('./fleet/enroll.ts')).unenroll(caller, options))
  fleet
    .command('status')
    .description('Show the policy of the fleet on this machine: its revision, its age, and what is wrong.')
    .option('--json', 'print everything as one JSON object')
    .addOption(HOME)
    .action(async (options) => (await import('./fleet/status.ts')).fleetStatus(caller, options))
  fleet
    .command('fetch')
    .description('Ask for a newer policy now.')
    .option('--system', "keep it in root's folder; needs root")
    .addOption(HOME)
    .action(async (options) => (await import('./fleet/status.ts')).fleetFetch(caller, options))
  fleet
    .command('export')
    .description('Send new decisions to an OpenTelemetry receiver, as the variables OTEL_* or your file say.')
    .option('--follow', 'keep sending')
    .addOption(HOME)
    .action(async (options) => (await import('./fleet/export.ts')).exportTelemetry(caller, options))
}

function addBundle(caller: Caller, bundle: Command): void {
  bundle
    .command('build [folder]')
    .description('Build a bundle from a folder with config.yaml and tests/*.yaml, if all its tests pass.')
    .requiredOption('--name <name>', 'the name of the policy; it never changes')
    .requiredOption('--revision <n>', 'the number of this bundle; greater than all before it')
    .option('--version <text>', 'a version for people (default: the revision)')
    .option('--expires <time>', 'how long machines accept it (default: 90d)')
    .option('--minimum-holdpoint <version>', 'the oldest version that may use it (default: this version)')
    .option('--out <file>', 'the file to write (default: NAME-REVISION.tar.gz)')
    .action(async (folder, options) =>
      (await import('./fleet/bundle.ts')).buildFolder(caller, folder ?? '.', options),
    )
  bundle
    .command('sign <file>')
    .description('Add the signature of a key to a bundle.')
    .requiredOption('--key <file>', 'the file with the private key')
    .action(async (file, options) => (await import('./fleet/bundle.ts')).signFile(caller, file, options))
  bundle
    .command('verify <file>')
    .description('Check that a bundle is unchanged and signed.')
    .requiredOption('--key <public>', 'a public key that counts (repeat it for several keys)', many)
    .option('--threshold <n>', 'how many of the keys must have signed (default: 1)')
    .option('--json', 'print everything as one JSON object')
    .action(async (file, options) => (await import('./fleet/bundle.ts')).verifyFile(caller, file, options))
  bundle
    .command('publish [file]')
    .description(
      'Add a signed bundle to the folder that machines fetch from. Without a file: change the share.',
    )
    .requiredOption('--to <folder>', 'the folder that is served')
    .requiredOption('--key <file>', 'the file with a private key that counts')
    .option('--channel <channel>', 'for the machines of this channel', 'stable')
    .option('--percent <n>', 'for this share of the machines (default: 100)')
    .option('--expires <time>', 'how long machines accept this list (default: 30d)')
    .action(async (file, options) => (await import('./fleet/bundle.ts')).publishFile(caller, file, options))
}

function addKey(caller: Caller, key: Command): void {
  key
    .command('create')
    .description('Create a key that signs bundles, and print its public half.')
    .requiredOption('--out <file>', 'the file for the private key; it must not exist')
    .option('--passphrase', 'encrypt the key with a passphrase that you type')
    .action(async (options) => (await import('./fleet/key.ts')).createFleetKey(caller, options))
  key
    .command('show <file>')
    .description('Print the public half of a key.')
    .action(async (file) => (await import('./fleet/key.ts')).showKey(caller, file))
  key
    .command('rotate <folder>')
    .description(
      'Replace the keys that count in a published folder. A key that is left out no longer counts.',
    )
    .requiredOption('--key <file>', 'the file with your private key (repeat it for several keys)', many)
    .requiredOption('--set <public>', 'a public key that counts from now on (repeat it)', many)
    .option('--threshold <n>', 'how many of them must sign (default: 1)')
    .option(
      '--from <public>',
      'for the first rotation: a key that machines were enrolled with (default: your own key that goes)',
      many,
    )
    .option('--from-threshold <n>', 'for the first rotation: how many of them had to sign (default: 1)')
    .option('--expires <time>', 'how long machines accept the renewed list (default: 30d)')
    .action(async (folder, options) => (await import('./fleet/key.ts')).rotateKey(caller, folder, options))
}
