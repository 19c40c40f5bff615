/** The parts of a machine's name, from which it is shown in both languages. */
export type MachineNameParts = Record<'name' | 'brand' | 'brandEn' | 'model' | 'categoryNameEn', string>

/**
 * The English name of a machine. A name that begins with brand and model, as the form makes it, is made anew from their English names and
 * the category; any other name stays as it was entered.
 */
export function machineNameEn({ name, brand, brandEn, model, categoryNameEn }: MachineNameParts): string {
  return brand && model && `${name} `.startsWith(`${brand} ${model} `) ? `${brandEn} ${model} ${categoryNameEn}` : name
}
