// The limits stand apart from the calls: a public page downloads files, and must not bring the schemas of a form that counts them (decision 17).

/**
 * Bytes; images 5 MB, other attachments and scans of a contract 20 MB. An account uploads so many files a day, 20 GB in `unusedDays`, and those of them
 * that nothing refers to are 1 GB at most; what nobody has attached by then, but for scans of a contract and what a draft of a demand names, is deleted.
 */
export const fileLimits = {
  image: 5 * 1024 * 1024,
  attachment: 20 * 1024 * 1024,
  nameLength: 100,
  demandAttachments: 10,
  perDay: 200,
  unusedDays: 90,
  unusedBytes: 1024 ** 3,
  recentBytes: 20 * 1024 ** 3,
} as const

/** Media types of the papers of a contract: the scan of the sealed document, and the files of a notice. */
export const paperTypes = ['application/pdf', 'image/jpeg', 'image/png'] as const
/** Media types of an own form: a PDF, or a photograph of a page. */
export const formTypes = ['application/pdf', 'image/jpeg'] as const
