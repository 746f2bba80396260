import { type Command, Option } from 'commander'
import type { Caller } from './caller.ts'
import { DATABASE, many } from './line-options.ts'

const JSON_OPTION = new Option('--json', 'print everything as JSON')

/** The central side of a fleet. These commands need the package @holdpoint/fleet. */
export function addCentral(caller: Caller, fleet: Command): void {
  addCollector(caller, fleet)
  addToken(
    caller,
    fleet.command('token').description('Tokens for machines (push), for readers and for administrators.'),
  )
  addLooking(caller, fleet)
  addAdmin(caller, fleet)
}

function addCollector(caller: Caller, fleet: Command): void {
  fleet
    .command('collector')
    .description('Receive the journals of machines and keep them in PostgreSQL. Run as many as you like.')
    .addOption(DATABASE)
    .option('--listen <host:port>', 'where to listen (default: 127.0.0.1:8790)')
    .option('--tls-cert <file>', 'the certificate; without it, put a proxy with TLS before the collector')
    .option('--tls-key <file>', 'the key of the certificate')
    .option('--keep-days <n>', 'drop records after this many days (default: keep everything)')
    .option('--keep-project <name=days>', 'another limit for the projects of this name', many)
    .option('--no-migrate', 'do not create or upgrade the schema at the start')
    .action(async (options) => (await import('./fleet/collector.ts')).collector(caller, options))
  fleet
    .command('migrate')
    .description('Create or upgrade the schema. Safe to run twice.')
    .addOption(DATABASE)
    .action(async (options) => (await import('./fleet/upkeep.ts')).migrate(caller, options))
}

function addToken(caller: Caller, token: Command): void {
  token
    .command('create')
    .description('Create a token and print it once.')
    .addOption(
      new Option('--role <role>', 'what it is for').choices(['push', 'read', 'admin']).default('push'),
    )
    .option('--label <text>', 'a note for people')
    .option('--team <team>', 'the team of the machines that register with it')
    .option('--expires <time>', 'how long it counts: 2h, 30d')
    .option('--uses <n>', 'how many machines can register with it')
    .addOption(DATABASE)
    .action(async (options) => (await import('./fleet/tokens.ts')).createToken(caller, options))
  token
    .command('list')
    .description('List the tokens, without the tokens themselves.')
    .addOption(JSON_OPTION)
    .addOption(DATABASE)
    .action(async (options) => (await import('./fleet/tokens.ts')).listTokens(caller, options))
  token
    .command('revoke <id>')
    .description('Revoke a token.')
    .addOption(DATABASE)
    .action(async (id, options) => (await import('./fleet/tokens.ts')).revokeToken(caller, id, options))
}

function addLooking(caller: Caller, fleet: Command): void {
  fleet
    .command('machines')
    .description('List the machines, those with a problem first.')
    .option('--team <team>')
    .option('--urgent', 'only machines with a problem')
    .addOption(JSON_OPTION)
    .addOption(DATABASE)
    .action(async (options) => (await import('./fleet/machines.ts')).machines(caller, options))
  fleet
    .command('stops')
    .description('Count the calls that were denied or asked about.')
    .addOption(new Option('--by <what>').choices(['guard', 'team', 'project', 'day']).default('guard'))
    .option('--since <time>', 'how far back: 7d, 30d (default: 30d)')
    .option('--team <team>')
    .option('--project <name>')
    .addOption(JSON_OPTION)
    .addOption(DATABASE)
    .action(async (options) => (await import('./fleet/records.ts')).showStops(caller, options))
  fleet
    .command('session <id>')
    .description('Show the decisions of one session on all machines, from oldest to newest.')
    .option('--limit <n>', 'show this many (default: 1000)')
    .addOption(JSON_OPTION)
    .addOption(DATABASE)
    .action(async (id, options) => (await import('./fleet/records.ts')).showSession(caller, id, options))
  fleet
    .command('rollout')
    .description('Show how many machines have each revision of the policy, and when they got it.')
    .option('--name <name>', 'only the policy of this name')
    .addOption(JSON_OPTION)
    .addOption(DATABASE)
    .action(async (options) => (await import('./fleet/records.ts')).showRollout(caller, options))
  fleet
    .command('findings')
    .description('Show gaps, forks and changed records.')
    .option('--resolve <machine>', 'mark the findings of a machine as resolved')
    .addOption(JSON_OPTION)
    .addOption(DATABASE)
    .action(async (options) => (await import('./fleet/machines.ts')).findings(caller, options))
  fleet
    .command('verify')
    .description('Check the hash chains of all machines in the database.')
    .option('--machine <id>', 'only this machine')
    .addOption(JSON_OPTION)
    .addOption(DATABASE)
    .action(async (options) => (await import('./fleet/machines.ts')).verifyFleet(caller, options))
}

function addAdmin(caller: Caller, fleet: Command): void {
  fleet
    .command('revoke <machine>')
    .description('Revoke the key of a machine. It must be enrolled again.')
    .addOption(DATABASE)
    .action(async (machine, options) =>
      (await import('./fleet/machines.ts')).revokeMachine(caller, machine, options),
    )
  fleet
    .command('erase')
    .description('Remove the contents of records for good. The chains can still be checked.')
    .option('--record <id>')
    .option('--session <id>')
    .option('--machine <id>')
    .option('--user <name>', 'all records of this person')
    .option('--rewrite', 'also write the files of the database anew; pushes wait meanwhile')
    .addOption(DATABASE)
    .action(async (options) => (await import('./fleet/upkeep.ts')).eraseFleet(caller, options))
  fleet
    .command('retain')
    .description('Drop old records now. A collector with --keep-days does this every hour.')
    .option('--keep-days <n>')
    .option('--keep-project <name=days>', 'another limit for the projects of this name', many)
    .addOption(DATABASE)
    .action(async (options) => (await import('./fleet/upkeep.ts')).retain(caller, options))
}
