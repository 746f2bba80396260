/** The journals there are; loaded only when one is opened. */
export const stores = {
  memory: () => import('./memory/store.ts'),
  sqlite: () => import('./sqlite/store.ts'),
}
