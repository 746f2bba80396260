/** All journal stores by id, loaded when one is opened. A gate checks that the table matches the folders. */
export const STORES = {
  memory: () => import('./memory/store.ts'),
  sqlite: () => import('./sqlite/store.ts'),
}
