import { afterAll, beforeAll } from 'vitest'
import { sha256 } from '../../../../src/system/sha256.ts'
import { type Cluster, startCluster } from '../../test/cluster.ts'
import { CONTRACT_TOKEN, sinkContract } from '../sink/sink.contract.ts'
import { openPool } from './connection.ts'
import { migrate } from './migrate.ts'
import { createPostgresSink } from './sink.ts'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster.remove())

sinkContract({
  name: 'postgres',
  async open() {
    const pool = openPool(cluster.url())
    await migrate(pool)
    cluster.sql(`INSERT INTO holdpoint.tokens (hash, role) VALUES ('${sha256(CONTRACT_TOKEN)}', 'push')`)
    return createPostgresSink(pool)
  },
})
