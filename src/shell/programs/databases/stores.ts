import { isSet, readOptions, valuesOf } from '../../arguments/options.ts'
import { certainly, type VerbProgram } from '../../arguments/verbs.ts'
import type { ActEffect } from '../../vocabulary/effect.ts'
import { exactForm, exactText, isWhollyUnknown, textWithHoles } from '../../words/words.ts'
import { each, type ProgramCall, type ProgramTable } from '../program.ts'
import { CONFIGURE, FLUSH, uncertain } from './acts.ts'
import { filesOfEnding } from './clients.ts'
import { mongoEffects } from './mongo.ts'
import { redisEffects } from './redis.ts'

const REDIS = `
  h= p= s= a|pass= n= r= i= u= user= d= D= X= t= pattern= count= cacert= cert= key= sni= eval= rdb=
  functions-rdb= cluster x c e raw tls insecure no-auth-warning pipe scan bigkeys stat latency ldb help
  version no-raw csv json askpass verbose hotkeys memkeys 2 3 show-pushes=
`

function redisCall({ command, input }: ProgramCall): readonly ActEffect[] {
  const read = readOptions(command.args, REDIS, { stopAtOperand: true })
  if (isSet(read, 'help') || isSet(read, 'version')) return []
  if (read.operands.length > 0) return redisEffects(read.operands, command.inputs ?? [])
  if (valuesOf(read, 'eval').length > 0 || isSet(read, 'scan')) return []
  const given = input()
  if (given.kind === 'none') return []
  if (given.kind !== 'text') return [uncertain(FLUSH, 'the commands it is given are not in the text')]
  const lines = given.forms.flatMap((form) => textWithHoles(form).split('\n'))
  return lines.flatMap((line) => redisEffects(line.trim().split(/\s+/), [])).slice(0, 1)
}

const MONGO = `
  eval= f|file= h|host= port= u|username= p|password= authenticationDatabase= norc tls ssl quiet nodb help
  version json=? shell apiVersion= retryWrites
`

function mongoCall({ command, input }: ProgramCall): readonly ActEffect[] {
  const read = readOptions(command.args, MONGO)
  const given = input()
  const code = [
    ...valuesOf(read, 'eval').flatMap((word) => word.forms),
    ...(given.kind === 'text' ? given.forms : []),
  ]
  if (code.some(isWhollyUnknown)) return [uncertain(FLUSH, 'the code it runs is known only at run time')]
  return code.flatMap((form) => mongoEffects(exactForm(form) ?? textWithHoles(form))).slice(0, 1)
}

const ETCD: VerbProgram = {
  options: `
    endpoints= cacert= cert= key= user= password= dial-timeout= command-timeout= w|write-out= prefix=?
    from-key=? recursive h|help range-end=
  `,
  rules: [
    ['del', FLUSH, { given: 'prefix from-key' }],
    ['rm|rmdir', FLUSH, { given: 'recursive' }],
    ['snapshot restore', CONFIGURE],
  ],
}
const CONSUL: VerbProgram = {
  options: 'http-addr= token= datacenter= recurse=? help cas modify-index=',
  singleDash: true,
  rules: [['kv delete', FLUSH, { given: 'recurse' }]],
}
const MEMCACHED: VerbProgram = {
  options: 'servers= username= password= help version',
  rules: [['', FLUSH, { when: ({ command }) => certainly(exactText(command.args[0]) !== '--version') }]],
}

const OPTIONS = `
  bootstrap-server= zookeeper= topic= command-config= n|node= p|vhost= q|quiet s|server= H|host= P|port=
  u|username= creds= context= delete help f|force
`
const KAFKA: VerbProgram = {
  options: OPTIONS,
  rules: [['', FLUSH, { given: 'delete' }]],
}

/** Stores of keys and of documents, and queues of messages: what is deleted there nobody will receive. */
export const KEY_VALUE_STORES: ProgramTable = {
  'redis-cli valkey-cli keydb-cli': { does: redisCall },
  'mongosh mongo': { does: mongoCall, readsText: filesOfEnding },
  ...each<VerbProgram>((acts) => ({ acts }), {
    etcdctl: ETCD,
    consul: CONSUL,
    memcflush: MEMCACHED,
    'kafka-topics.sh kafka-topics': KAFKA,
    rabbitmqctl: {
      options: OPTIONS,
      rules: [['delete_queue|purge_queue|delete_vhost|reset|force_reset', FLUSH]],
    },
    rabbitmqadmin: {
      options: OPTIONS,
      rules: [['delete|purge queue|exchange|vhost', FLUSH]],
    },
    nats: {
      options: OPTIONS,
      rules: [['stream|str|s|kv|object rm|purge|del|delete|destroy', FLUSH]],
    },
  }),
}
