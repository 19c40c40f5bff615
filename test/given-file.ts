import { createHash } from 'node:crypto'
import type { Person, World } from './world.ts'

/** A file that this person uploaded. */
export async function givenFile({ db, services }: Pick<World, 'db' | 'services'>, owner: Person): Promise<string> {
  const content = Buffer.from('%PDF-1.4')
  const about = {
    name: 'a.pdf',
    size: content.length,
    mime: 'application/pdf',
    sha256: createHash('sha256').update(content).digest(),
    access: 'owner',
  } as const
  const { id } = await db
    .insertInto('file')
    .values({ ...about, accountId: owner.id, companyId: owner.companyId || null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await services.storage.put(id, content)
  return id
}
