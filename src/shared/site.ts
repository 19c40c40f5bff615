/** The names of the site and the ways to its people; what is not configured is empty. */
export type Site = {
  name: string
  nameEn: string
  company: string
  address: string
  /** The record numbers of the website, with the ministry and with the police. */
  icp: string
  police: string
  phone: string
  hours: string
  /** Whether the calls are documented at /prod-api/docs. */
  apiDocs: boolean
}
