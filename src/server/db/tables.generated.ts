// Written by scripts/write-tables.ts from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { OperatorDuty } from '#shared/account/rules.ts'
import type { AuditAction, AuditBizType } from '#shared/audit/rules.ts'
import type { AwardInput } from '#shared/award/contract.ts'
import type { BlacklistLevel } from '#shared/blacklist/rules.ts'
import type { Audience } from '#shared/broadcast/contract.ts'
import type { Category } from '#shared/category/contract.ts'
import type { Param } from '#shared/category/input.ts'
import type { CertificationPaper } from '#shared/certification/contract.ts'
import type { ContactType } from '#shared/contact/contract.ts'
import type { StoredChange } from '#shared/contract/changes.ts'
import type { ContractClauses } from '#shared/contract/clauses.ts'
import type { DemandItem, OwnDemand, PublicDemand } from '#shared/demand/contract.ts'
import type { RentUnit } from '#shared/equipment/rules.ts'
import type { EquipmentInput } from '#shared/equipment/upload.ts'
import type { MessageKind } from '#shared/message/kinds.ts'
import type { SystemSubject } from '#shared/message/rules.ts'
import type { OutboxTemplate } from '#shared/outbox/contract.ts'
import type { CostAssumptions } from '#shared/quote/landed-cost.ts'

export type DB = {
  account: {
    id: GeneratedAlways<number>
    userName: string
    phonenumber: string | null
    name: Generated<string>
    nickName: Generated<string>
    passwordHash: string
    userType: Generated<'1' | '2' | '3' | '4' | '8' | '9'>
    certSign: Generated<number>
    auditStatus: Generated<'0' | '1' | '2' | '3' | '4' | '5' | '6'>
    deptId: number | null
    companyId: number | null
    isAdmin: Generated<boolean>
    status: Generated<'0' | '1'>
    failedLogins: Generated<number>
    lockedUntil: ColumnType<string | null, Date | null | undefined, Date | null>
    passwordUpdatedAt: ColumnType<string, Date | undefined, Date>
    createTime: ColumnType<string, Date | undefined, Date>
    delFlag: Generated<'0' | '2'>
    termsAt: ColumnType<string | null, Date | null | undefined, Date | null>
    mustChangePassword: Generated<boolean>
    version: Generated<number>
    duties: Generated<OperatorDuty[]>
    driverOnly: Generated<boolean>
    phoneChangedAt: ColumnType<string | null, Date | null | undefined, Date | null>
    platformLocked: Generated<boolean>
    revoked: Generated<boolean>
  }
  accountDept: {
    accountId: number
    deptId: number
  }
  article: {
    id: GeneratedAlways<number>
    tab: '1' | '2' | '3'
    title: string
    summary: Generated<string>
    content: string
    source: Generated<string>
    author: Generated<string>
    top: Generated<boolean>
    status: Generated<'0' | '1' | '2'>
    publishTime: ColumnType<string, Date, Date>
    viewCount: Generated<number>
    accountId: number | null
    version: Generated<number>
    createTime: ColumnType<string, Date | undefined, Date>
    updateTime: ColumnType<string, Date | undefined, Date>
  }
  articleImage: {
    articleId: number
    fileId: string
  }
  attempt: {
    key: Buffer
    subject: Buffer | null
    since: ColumnType<string, Date, Date>
    tries: number
    failures: Generated<number>
  }
  auditLog: {
    seq: Generated<number>
    at: ColumnType<string, Date, Date>
    accountId: number | null
    who: string
    action: AuditAction
    bizType: AuditBizType
    bizId: string
    bizName: Generated<string>
    companyId: number | null
    before: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>
    after: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>
    reason: Generated<string>
    address: Generated<string>
    hash: Generated<string>
  }
  award: {
    id: GeneratedAlways<number>
    demandId: number
    accountId: number
    at: ColumnType<string, Date, Date>
    netFen: number
    machines: Generated<number>
    meanNetFen: number | null
    ceilingFen: Generated<number>
    underCeilingFen: Generated<number>
    rentFen: Generated<number>
    contractDue: ColumnType<string | null, Date | null | undefined, Date | null>
    dueMovedAt: ColumnType<string | null, Date | null | undefined, Date | null>
  }
  awardLapse: {
    id: GeneratedAlways<number>
    demandId: number
    awardId: number
    quoteId: number
    companyId: number
    qty: number
    blame: 'lessee' | 'lessor' | 'none'
    at: ColumnType<string, Date, Date>
  }
  awardLine: {
    id: GeneratedAlways<number>
    awardId: number
    demandItemId: number
    quoteLineId: number
    companyId: number
    qty: number
    netFen: number
    reason: Generated<string>
    meanNetFen: number | null
    rentFen: Generated<number>
    againstCeiling: Generated<boolean>
  }
  awardRequest: {
    id: GeneratedAlways<number>
    demandId: number
    accountId: number
    input: ColumnType<AwardInput, string, string>
    netFen: number
    status: Generated<'1' | '2' | '3'>
    requestTime: ColumnType<string, Date, Date>
    decidedBy: number | null
    decideTime: ColumnType<string | null, Date | null | undefined, Date | null>
    reason: Generated<string>
  }
  blacklist: {
    id: GeneratedAlways<number>
    blacklistCode: string
    subjectKind: 'company' | 'machine' | 'person'
    companyId: number
    equipmentId: number | null
    personName: Generated<string>
    level: BlacklistLevel
    scopeDeptId: number | null
    reasonCode: 'quit' | 'forgery' | 'accident' | 'arrears' | 'collusion' | 'rent' | 'other'
    facts: string
    emergency: Generated<boolean>
    fromDay: string
    toDay: string
    status: Generated<'0' | '1' | '2' | '3' | '4' | '5' | '6'>
    proposerId: number
    proposerDeptId: number | null
    notifyTime: ColumnType<string | null, Date | null | undefined, Date | null>
    answerUntil: ColumnType<string | null, Date | null | undefined, Date | null>
    answer: Generated<string>
    answerTime: ColumnType<string | null, Date | null | undefined, Date | null>
    approverId: number | null
    decideTime: ColumnType<string | null, Date | null | undefined, Date | null>
    decideNote: Generated<string>
    createTime: ColumnType<string, Date, Date>
    updateTime: ColumnType<string, Date, Date>
    version: Generated<number>
  }
  blacklistAppeal: {
    id: GeneratedAlways<number>
    blacklistId: number
    accountId: number
    content: string
    appealTime: ColumnType<string, Date, Date>
    upheld: boolean | null
    decidedBy: number | null
    decideTime: ColumnType<string | null, Date | null | undefined, Date | null>
    note: Generated<string>
  }
  blacklistEvent: {
    id: GeneratedAlways<number>
    blacklistId: number
    at: ColumnType<string, Date, Date>
    accountId: number | null
    move: string
    note: Generated<string>
  }
  blacklistFile: {
    blacklistId: number
    fileId: string
    part: 'evidence' | 'answer' | 'appeal'
  }
  brand: {
    brand: string
    grams: GeneratedAlways<string[] | null>
  }
  broadcast: {
    id: GeneratedAlways<number>
    accountId: number
    title: string
    content: string
    link: Generated<string>
    audience: ColumnType<Audience, string, string>
    people: number
    at: ColumnType<string, Date, Date>
    toldUpTo: number | null
  }
  callLimit: {
    key: string
    since: ColumnType<string, Date, Date>
    calls: number
  }
  cancellation: {
    id: GeneratedAlways<number>
    accountId: number
    reason: string
    status: Generated<'0' | '1' | '2' | '3' | '4'>
    requestedAt: ColumnType<string, Date, Date>
    dueAt: ColumnType<string, Date, Date>
    doneAt: ColumnType<string | null, Date | null | undefined, Date | null>
    note: Generated<string>
  }
  category: {
    id: number
    parentId: number
    name: string
    nameEn: string
    alias: Generated<string[]>
    level: 1 | 2
    orderNum: number
    status: Generated<'0' | '1'>
    core: Generated<boolean>
    params: ColumnType<Param[], string | undefined, string>
    flags: ColumnType<Category['flags'], string | undefined, string>
    operatorCert: Generated<string>
    priceUnits: Generated<RentUnit[]>
    litresPerShift: Generated<number>
    version: Generated<number>
    words: GeneratedAlways<string | null>
    grams: GeneratedAlways<string[] | null>
    formerWords: string | null
    formerGrams: GeneratedAlways<string[] | null>
    refreshedTo: Generated<number>
  }
  certification: {
    id: GeneratedAlways<number>
    accountId: number
    kind: 'rentout' | 'lease' | 'dept'
    status: Generated<'0' | '1' | '2' | '3' | '4' | '5' | '6'>
    form: ColumnType<Record<string, unknown>, string | undefined, string>
    passedForm: ColumnType<{ form: Record<string, unknown>; documents: Pick<CertificationPaper, 'kind' | 'fileId' | 'validTo'>[] } | null, string | null | undefined, string | null>
    reason: Generated<string>
    fieldReasons: ColumnType<{ field: string; reason: string }[], string | undefined, string>
    companyId: number | null
    deptId: number | null
    parentDeptId: number | null
    name: Generated<string>
    validTo: string | null
    submittedAt: ColumnType<string | null, Date | null | undefined, Date | null>
    reviewedAt: ColumnType<string | null, Date | null | undefined, Date | null>
    createTime: ColumnType<string, Date, Date>
    updateTime: ColumnType<string, Date, Date>
    version: Generated<number>
  }
  certificationDocument: {
    id: GeneratedAlways<number>
    certificationId: number
    kind: string
    fileId: string
    validTo: string | null
    status: Generated<'0' | '1' | '2'>
    reason: Generated<string>
  }
  certificationEvent: {
    id: GeneratedAlways<number>
    certificationId: number
    accountId: number | null
    action: 'submit' | 'withdraw' | 'pass' | 'reject' | 'revoke' | 'expire' | 'leave'
    note: Generated<string>
    at: ColumnType<string, Date, Date>
  }
  codeCounter: {
    prefix: string
    day: string
    last: number
  }
  company: {
    id: GeneratedAlways<number>
    enterpriseName: string
    creditCode: string
    entityType: Generated<'1' | '2' | '3' | '4'>
    scaleType: 'large' | 'medium' | 'small' | 'micro' | null
    taxpayerType: Generated<'general' | 'small'>
    groupName: Generated<string>
    legalPerson: Generated<string>
    provinceId: number | null
    cityId: number | null
    districtId: number | null
    address: Generated<string>
    contactName: Generated<string>
    contactPhone: Generated<string>
    intro: Generated<string>
    establishedOn: string | null
    isLessor: Generated<boolean>
    isLessee: Generated<boolean>
    lessorAudit: Generated<'0' | '1' | '2' | '3' | '4' | '6'>
    lesseeAudit: Generated<'0' | '1' | '2' | '3' | '4' | '6'>
    lessorValidTo: string | null
    grade: 'A' | 'B' | 'C' | 'D' | null
    serviceRegions: Generated<number[]>
    mainCategories: Generated<number[]>
    blacklistedAt: ColumnType<string | null, Date | null | undefined, Date | null>
    searchText: Generated<string>
    searchGrams: GeneratedAlways<string[] | null>
    createTime: ColumnType<string, Date | undefined, Date>
    updateTime: ColumnType<string, Date | undefined, Date>
    delFlag: Generated<'0' | '2'>
    status: Generated<'0' | '1'>
    lockReason: Generated<string>
  }
  contact: {
    id: GeneratedAlways<number>
    name: string
    company: string
    phone: string
    email: Generated<string>
    type: ContactType
    content: string
    status: Generated<'0' | '1'>
    createTime: ColumnType<string, Date | undefined, Date>
    note: Generated<string>
    handledBy: number | null
    handleTime: ColumnType<string | null, Date | null | undefined, Date | null>
  }
  contactLook: {
    accountId: number
    demandId: number | null
    at: ColumnType<string, Date, Date>
    companyId: number | null
  }
  contract: {
    id: GeneratedAlways<number>
    contractCode: string
    externalNo: Generated<string>
    source: 'award' | 'direct'
    awardId: number | null
    demandId: number | null
    deptId: number
    lesseeCompanyId: number
    lessorCompanyId: number
    title: string
    provinceId: number
    cityId: number
    districtId: number | null
    address: string
    planStart: string
    planEnd: string
    clauses: ColumnType<ContractClauses, string, string>
    amountFen: number
    netFen: number
    taxFen: number
    scaleLessee: 'large' | 'medium' | 'small' | 'micro' | 'institution' | null
    scaleLessor: 'large' | 'medium' | 'small' | 'micro' | 'institution' | null
    smeRule: Generated<boolean>
    lprBp: number | null
    bankName: Generated<string>
    bankAccount: Generated<string>
    approval: Generated<'0' | '1' | '2' | '3'>
    approvalAskedBy: number | null
    scanState: Generated<'0' | '1' | '2'>
    scanBy: 'lessee' | 'lessor' | null
    status: Generated<'0' | '1' | '2' | '3' | '4' | '5' | '6' | '7'>
    revision: Generated<number>
    textHash: string | null
    text: Generated<string>
    sentAt: ColumnType<string | null, Date | null | undefined, Date | null>
    returnedAt: ColumnType<string | null, Date | null | undefined, Date | null>
    confirmedAt: ColumnType<string | null, Date | null | undefined, Date | null>
    endedAt: ColumnType<string | null, Date | null | undefined, Date | null>
    remindedOn: string | null
    endReason: Generated<string>
    searchText: Generated<string>
    version: Generated<number>
    createTime: ColumnType<string, Date, Date>
    updateTime: ColumnType<string, Date, Date>
    searchGrams: GeneratedAlways<string[] | null>
    textEn: Generated<string>
    recalledAt: ColumnType<string | null, Date | null | undefined, Date | null>
    accountSalt: Generated<string>
    scanRevision: number | null
  }
  contractChange: {
    id: GeneratedAlways<number>
    changeCode: string
    contractId: number
    kind: 'extend' | 'shorten' | 'price' | 'quantity' | 'clause' | 'tax' | 'account' | 'terminate'
    side: 'lessee' | 'lessor'
    accountId: number
    fromDay: string
    reason: string
    input: ColumnType<StoredChange, string, string>
    status: Generated<'0' | '1' | '2' | '3' | '4' | '5'>
    textHash: string | null
    sentAt: ColumnType<string | null, Date | null | undefined, Date | null>
    answeredAt: ColumnType<string | null, Date | null | undefined, Date | null>
    answeredBy: number | null
    answer: Generated<string>
    effectiveAt: ColumnType<string | null, Date | null | undefined, Date | null>
    appliedAt: ColumnType<string | null, Date | null | undefined, Date | null>
    version: Generated<number>
    createTime: ColumnType<string, Date, Date>
    accountSalt: Generated<string>
    approval: Generated<'0' | '1' | '2' | '3'>
    approvalAskedBy: number | null
  }
  contractEvent: {
    id: GeneratedAlways<number>
    contractId: number
    seq: Generated<number>
    at: ColumnType<string, Date, Date>
    accountId: number | null
    side: 'lessee' | 'lessor' | null
    move: string
    refKind: string | null
    refId: number | null
    fromStatus: string | null
    toStatus: string | null
    digest: string | null
    note: Generated<string>
    salt: Generated<string>
    detailHash: Generated<string>
    hash: Generated<string>
    detailForm: Generated<1 | 2>
  }
  contractFile: {
    contractId: number
    kind: 'form' | 'scan' | 'notice'
    fileId: string
    orderNum: number
    noticeId: number | null
  }
  contractHead: {
    day: string
    contractId: number
    seq: number
    hash: string
  }
  contractLine: {
    id: GeneratedAlways<number>
    contractId: number
    lineNo: number
    awardLineId: number | null
    categoryId: number
    name: string
    spec: Generated<string>
    equipmentId: number
    isLot: boolean
    qty: number
    rentUnit: 'M' | 'D' | 'S' | 'H' | 'V' | 'L' | 'P'
    unitPriceFen: number
    taxRate: 13 | 9 | 6 | 3 | 1 | 0
    invoiceKind: 'special' | 'plain'
    includesOperator: boolean
    includesFuel: boolean
    entryFeeFen: Generated<number>
    exitFeeFen: Generated<number>
    erectionFeeFen: Generated<number>
    inspectionFeeFen: Generated<number>
    otherFeeFen: Generated<number>
    minRentDays: Generated<number>
    estQuantity: number | null
    shiftMode: Generated<'single' | 'double'>
    planStart: string
    planEnd: string
    status: Generated<'0' | '1' | '2' | '3'>
  }
  contractNotice: {
    id: GeneratedAlways<number>
    contractId: number
    side: 'lessee' | 'lessor'
    accountId: number
    reason: string
    at: ColumnType<string, Date, Date>
  }
  contractPartyMove: {
    contractId: number
    id: GeneratedAlways<number>
    companyId: number
    accountId: number | null
    move: 'lock' | 'unlock' | 'certificationEnd' | 'certificationBack'
  }
  contractPerson: {
    contractId: number
    side: 'lessee' | 'lessor'
    task: 'signer' | 'acceptor' | 'logger' | 'settler'
    accountId: number
  }
  contractPrint: {
    contractId: number
    revision: number
    textHash: string
    prints: number
  }
  contractVersion: {
    contractId: number
    revision: number
    fromDay: string
    clauses: ColumnType<ContractClauses, string, string>
    lines: ColumnType<object[], string, string>
    text: string
    textHash: string
    at: ColumnType<string, Date, Date>
    textEn: string | null
  }
  demand: {
    id: GeneratedAlways<number>
    demandCode: string | null
    demandType: Generated<'1' | '2' | '3'>
    title: Generated<string>
    companyId: number
    deptId: number
    accountId: number
    projectName: Generated<string>
    projectType: Generated<string>
    provinceId: number | null
    cityId: number | null
    districtId: number | null
    address: Generated<string>
    lowEmissionZone: Generated<boolean>
    contactName: Generated<string>
    contactPhone: Generated<string>
    quoteDeadline: ColumnType<string | null, Date | null | undefined, Date | null>
    clarifyDeadline: ColumnType<string | null, Date | null | undefined, Date | null>
    sealed: Generated<boolean>
    urgent: Generated<boolean>
    method: Generated<'1' | '2' | '3' | '4'>
    minQuotes: Generated<number>
    payment: ColumnType<PublicDemand['payment'], string | undefined, string>
    fuelBy: Generated<'lessor' | 'lessee'>
    operatorBy: Generated<'lessor' | 'lessee'>
    transportBy: Generated<'lessor' | 'lessee'>
    erectionBy: Generated<'lessor' | 'lessee'>
    lodgingBy: Generated<'lessor' | 'lessee'>
    budgetFen: number | null
    internalReason: Generated<string>
    terms: Generated<string>
    status: Generated<'0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'>
    statusReason: Generated<string>
    revision: Generated<number>
    draft: ColumnType<unknown, string | null | undefined, string | null>
    version: Generated<number>
    planStart: string | null
    planEnd: string | null
    quoteCount: Generated<number>
    searchText: Generated<string>
    searchGrams: GeneratedAlways<string[] | null>
    publishTime: ColumnType<string | null, Date | null | undefined, Date | null>
    openTime: ColumnType<string | null, Date | null | undefined, Date | null>
    createTime: ColumnType<string, Date | undefined, Date>
    updateTime: ColumnType<string, Date | undefined, Date>
    delFlag: Generated<'0' | '2'>
    showCeiling: Generated<boolean>
    sourceId: number | null
    fewToldAt: ColumnType<string | null, Date | null | undefined, Date | null>
    lineCount: Generated<number>
    internalCheck: ColumnType<OwnDemand['internalCheck'], string | undefined, string>
    sealKey: Buffer | null
    notifiedCount: number | null
    awardedNetFen: number | null
    kinds: Generated<number[]>
    exceptions: Generated<number>
    awardedOnCeiling: Generated<boolean>
    awardedOnMean: Generated<boolean>
    methodReason: Generated<string>
    costAssumptions: ColumnType<CostAssumptions | null, string | null | undefined, string | null>
  }
  demandAttachment: {
    demandId: number
    fileId: string
    orderNum: number
  }
  demandCategory: {
    demandId: number
    categoryId: number
    wonQty: number | null
    wonNetFen: number | null
    wonMeanFen: number | null
    measuredNetFen: number | null
    wonRentFen: number | null
  }
  demandEvent: {
    id: GeneratedAlways<number>
    demandId: number
    quoteId: number | null
    at: ColumnType<string, Date, Date>
    accountId: number | null
    move: string
    fromStatus: string | null
    toStatus: string | null
    note: Generated<string>
    seq: Generated<number>
    digest: string | null
    salt: Generated<string>
    detailHash: Generated<string>
    hash: Generated<string>
  }
  demandInvite: {
    demandId: number
    companyId: number
  }
  demandItem: {
    id: GeneratedAlways<number>
    demandId: number
    lineNo: number
    fatherCategoryId: number
    categoryId: number
    specRequirements: ColumnType<DemandItem['specRequirements'], string | undefined, string>
    mainRule: 'ge' | 'le' | 'eq' | null
    mainValue: number | null
    brandPreference: Generated<string>
    maxAgeYears: number | null
    minEmission: '2' | '3' | '4' | 'electric' | null
    qty: number
    planStart: string
    planEnd: string
    rentUnit: 'M' | 'D' | 'S' | 'H' | 'V' | 'L' | 'P'
    estQuantity: number | null
    shiftMode: Generated<'single' | 'double'>
    priceCeilingFen: number | null
    remark: Generated<string>
  }
  demandNotice: {
    demandId: number
    due: ColumnType<string, Date, Date>
  }
  demandQuestion: {
    id: GeneratedAlways<number>
    demandId: number
    companyId: number
    accountId: number
    content: string
    askTime: ColumnType<string, Date, Date>
    answer: Generated<string>
    answerAccountId: number | null
    answerTime: ColumnType<string | null, Date | null | undefined, Date | null>
  }
  dept: {
    id: GeneratedAlways<number>
    parentId: number | null
    ancestors: Generated<number[]>
    deptName: string
    deptType: '1' | '2' | '3' | '4'
    companyId: number
    orderNum: Generated<number>
    leader: Generated<string>
    phone: Generated<string>
    status: Generated<'0' | '1'>
    projectName: string | null
    projectType: string | null
    provinceId: number | null
    cityId: number | null
    districtId: number | null
    address: Generated<string>
    lowEmissionZone: Generated<boolean>
    createTime: ColumnType<string, Date | undefined, Date>
    delFlag: Generated<'0' | '2'>
    approvesDemands: Generated<boolean>
    approvesAwards: Generated<boolean>
    version: Generated<number>
    approvesContracts: Generated<boolean>
    needsScan: Generated<boolean>
  }
  device: {
    accountId: number
    deviceHash: Buffer
    seenAt: ColumnType<string, Date, Date>
  }
  dictionary: {
    dictType: string
    dictValue: string
    dictLabel: string
    dictLabelEn: string
    dictSort: number
    status: Generated<'0' | '1'>
  }
  equipment: {
    id: GeneratedAlways<number>
    equipmentCode: string
    companyId: number
    fatherCategoryId: number
    categoryId: number
    name: string
    brand: string
    model: string
    specs: ColumnType<Record<string, string | number>, string | undefined, string>
    mainValue: number | null
    factoryNo: string | null
    outFactoryDate: string | null
    manufacturer: Generated<string>
    workHours: number | null
    ownership: Generated<'own' | 'lease' | 'agent' | 'sublet'>
    emissionStage: Generated<'1' | '2' | '3' | '4' | 'electric' | 'none'>
    envCode: string | null
    provinceId: number
    cityId: number
    districtId: number | null
    yardAddress: Generated<string>
    description: Generated<string>
    isLot: Generated<boolean>
    totalQty: Generated<number>
    auditStatus: Generated<'0' | '1' | '2' | '3'>
    shelfStatus: Generated<'0' | '1' | '2'>
    rentStatus: Generated<'0' | '1' | '2' | '3' | '4'>
    monthPriceFen: number | null
    confirmedAt: ColumnType<string, Date | undefined, Date>
    searchText: Generated<string>
    createTime: ColumnType<string, Date | undefined, Date>
    updateTime: ColumnType<string, Date | undefined, Date>
    version: Generated<number>
    delFlag: Generated<'0' | '2'>
    plateNo: string | null
    vin: string | null
    deviceCode: Generated<string>
    registrationNo: Generated<string>
    registrationOffice: Generated<string>
    filingNo: Generated<string>
    filingOffice: Generated<string>
    originalValueFen: number | null
    rentCycles: Generated<string[]>
    transportNote: Generated<string>
    auditReason: Generated<string>
    submitTime: ColumnType<string | null, Date | null | undefined, Date | null>
    accountId: number | null
    importId: number | null
    trusted: Generated<boolean>
    offReason: Generated<string>
    ownGrams: Generated<string[]>
    taken: string | null
  }
  equipmentBooking: {
    id: GeneratedAlways<number>
    equipmentId: number
    slot: Generated<number>
    period: string
    reason: 'award' | 'repair' | 'own' | 'reserved' | 'contract'
    awardLineId: number | null
    createTime: ColumnType<string, Date | undefined, Date>
    note: Generated<string>
    blockId: string | null
    contractLineId: number | null
  }
  equipmentChange: {
    id: GeneratedAlways<number>
    equipmentId: number
    accountId: number
    before: ColumnType<EquipmentInput, string, string>
    after: ColumnType<EquipmentInput, string, string>
    status: Generated<'1' | '2' | '3' | '4'>
    submitTime: ColumnType<string, Date, Date>
    decidedBy: number | null
    decideTime: ColumnType<string | null, Date | null | undefined, Date | null>
    reason: Generated<string>
  }
  equipmentChangeFile: {
    equipmentId: number
    fileId: string
  }
  equipmentDocument: {
    id: GeneratedAlways<number>
    equipmentId: number
    kind: string
    number: Generated<string>
    issuedBy: Generated<string>
    validTo: string | null
    fileId: string | null
    remindBefore: Generated<number | null>
  }
  equipmentEvent: {
    id: GeneratedAlways<number>
    equipmentId: number
    at: ColumnType<string, Date, Date>
    accountId: number | null
    move: string
    note: Generated<string>
  }
  equipmentImage: {
    equipmentId: number
    fileId: string
    orderNum: number
  }
  equipmentImport: {
    id: GeneratedAlways<number>
    companyId: number
    accountId: number
    fatherCategoryId: number
    fileName: string
    createTime: ColumnType<string, Date, Date>
    undoTime: ColumnType<string | null, Date | null | undefined, Date | null>
  }
  equipmentImportRow: {
    importId: number
    rowNo: number
    cells: ColumnType<Record<string, string>, string, string>
    equipmentId: number | null
  }
  equipmentPrice: {
    equipmentId: number
    rentUnit: 'M' | 'D' | 'S' | 'H' | 'V' | 'L' | 'P'
    priceFen: number | null
    withOperator: Generated<boolean>
    fuelBy: Generated<'lessor' | 'lessee' | 'none'>
    taxRate: Generated<13 | 9 | 6 | 3 | 1 | 0>
    shiftMode: Generated<'single' | 'double'>
    minRentDays: Generated<number>
    validTo: string | null
    ended: Generated<boolean>
  }
  failedItem: {
    job: string
    key: string
    tries: number
    lastError: string
    failedAt: ColumnType<string, Date, Date>
    due: ColumnType<string, Date, Date>
    setAsideAt: ColumnType<string | null, Date | null | undefined, Date | null>
  }
  favourite: {
    accountId: number
    bizType: 'equipment' | 'supplier' | 'demand'
    bizId: number
    at: ColumnType<string, Date, Date>
  }
  feedback: {
    id: GeneratedAlways<number>
    feedbackCode: string
    accountId: number
    type: 'suggestion' | 'fault' | 'data' | 'complaint' | 'other'
    title: string
    content: string
    contact: Generated<string>
    status: Generated<'0' | '1' | '2' | '3'>
    satisfaction: number | null
    createTime: ColumnType<string, Date, Date>
    updateTime: ColumnType<string, Date, Date>
  }
  feedbackImage: {
    feedbackId: number
    fileId: string
    orderNum: number
  }
  feedbackReply: {
    id: GeneratedAlways<number>
    feedbackId: number
    accountId: number | null
    byOperator: boolean
    content: string
    at: ColumnType<string, Date, Date>
  }
  file: {
    id: Generated<string>
    name: string
    size: number
    mime: string
    sha256: Buffer
    access: Generated<'public' | 'login' | 'partners' | 'owner'>
    accountId: number
    companyId: number | null
    deptId: number | null
    hasThumbnail: Generated<boolean>
    createTime: ColumnType<string, Date | undefined, Date>
    purpose: 'certification' | 'blacklist' | 'feedback' | 'machineDocument' | 'demandAttachment' | 'machinePicture' | 'article' | 'contract' | null
  }
  idempotency: {
    accountId: number
    key: string
    requestHash: Buffer
    answer: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>
    at: ColumnType<string, Date, Date>
  }
  imageCode: {
    uuid: string
    type: string
    answerHash: Buffer
    expiresAt: ColumnType<string, Date, Date>
  }
  internalMachine: {
    id: GeneratedAlways<number>
    deptId: number
    accountId: number
    fatherCategoryId: number
    categoryId: number
    name: string
    brand: Generated<string>
    model: Generated<string>
    specs: ColumnType<Record<string, string | number>, string | undefined, string>
    mainValue: number | null
    emissionStage: Generated<'1' | '2' | '3' | '4' | 'electric' | 'none'>
    provinceId: number
    cityId: number
    place: Generated<string>
    innerPriceFen: number | null
    freeFrom: string
    freeTo: string
    note: Generated<string>
    status: Generated<'0' | '1'>
    createTime: ColumnType<string, Date, Date>
    updateTime: ColumnType<string, Date, Date>
    version: Generated<number>
    delFlag: Generated<'0' | '2'>
  }
  internalTransfer: {
    id: GeneratedAlways<number>
    transferCode: string
    internalMachineId: number
    demandId: number | null
    fromDeptId: number
    toDeptId: number
    period: string
    transportBy: Generated<'from' | 'to'>
    transportFen: Generated<number>
    innerPriceFen: number | null
    status: Generated<'0' | '1' | '2' | '3' | '4'>
    note: Generated<string>
    reason: Generated<string>
    accountId: number
    createTime: ColumnType<string, Date, Date>
    updateTime: ColumnType<string, Date, Date>
  }
  jobRun: {
    name: string
    startedAt: ColumnType<string | null, Date | null | undefined, Date | null>
    finishedAt: ColumnType<string | null, Date | null | undefined, Date | null>
    durationMs: Generated<number>
    runs: Generated<number>
    failures: Generated<number>
    lastError: Generated<string>
    lastErrorAt: ColumnType<string | null, Date | null | undefined, Date | null>
    detail: Generated<string>
  }
  loginFailure: {
    address: string
    at: ColumnType<string, Date, Date>
  }
  machineNotice: {
    id: GeneratedAlways<number>
    companyId: number
    equipmentId: number
    kind: 'machineUnconfirmed' | 'equipmentOff' | 'paperExpiring'
    params: ColumnType<Record<string, string>, string, string>
  }
  message: {
    id: Generated<number>
    accountId: number
    systemSubject: SystemSubject
    kind: MessageKind
    params: ColumnType<Record<string, string>, string | undefined, string>
    title: string
    content: string
    level: Generated<'info' | 'warn'>
    bizType: Generated<string>
    bizId: Generated<string>
    link: Generated<string>
    isRead: Generated<'0' | '1'>
    readTime: ColumnType<string | null, Date | null | undefined, Date | null>
    createTime: ColumnType<string, Date | undefined, Date>
  }
  messageConfig: {
    accountId: number
    systemSubject: SystemSubject
    inApp: Generated<'0' | '1'>
    push: Generated<'0' | '1'>
    sms: Generated<'0' | '1'>
    quietFrom: Generated<string>
    quietTo: Generated<string>
  }
  outbox: {
    id: GeneratedAlways<number>
    phonenumber: Generated<string>
    template: OutboxTemplate
    content: string
    provider: string
    status: Generated<'0' | '1' | '2'>
    error: Generated<string>
    createTime: ColumnType<string, Date, Date>
    notBefore: ColumnType<string, Date, Date>
    sentTime: ColumnType<string | null, Date | null | undefined, Date | null>
    params: ColumnType<{ title: string } | null, string | null | undefined, string | null>
    providerId: Generated<string>
    sealedBy: number | null
    accountId: number | null
    phoneSealed: Buffer | null
    phoneHash: Buffer | null
    urgent: Generated<boolean>
  }
  passwordHistory: {
    id: GeneratedAlways<number>
    accountId: number
    passwordHash: string
    at: ColumnType<string, Date, Date>
  }
  priceCeiling: {
    id: GeneratedAlways<number>
    deptId: number
    categoryId: number
    mainMin: number | null
    mainMax: number | null
    provinceId: number | null
    rentUnit: 'M' | 'D' | 'S' | 'H' | 'V' | 'L' | 'P'
    shiftMode: Generated<'single' | 'double'>
    withOperator: Generated<boolean>
    fuelBy: Generated<'lessor' | 'lessee'>
    longTerm: Generated<boolean>
    priceFen: number
    fromDay: string
    toDay: string | null
    accountId: number
    updateTime: ColumnType<string, Date, Date>
    version: Generated<number>
  }
  quote: {
    id: Generated<number>
    quoteCode: string
    demandId: number
    demandRevision: number
    companyId: number
    accountId: number
    contactName: string | null
    contactPhone: string | null
    validUntil: string | null
    status: '1' | '2' | '3' | '4' | '6' | '7' | '8' | '9' | '10'
    sealedOffer: Buffer
    sealHash: string
    note: Generated<string>
    loseReason: 'price' | 'spec' | 'time' | 'papers' | 'rating' | 'other' | null
    submitTime: ColumnType<string, Date, Date>
    openTime: ColumnType<string | null, Date | null | undefined, Date | null>
    createTime: ColumnType<string, Date | undefined, Date>
    updateTime: ColumnType<string, Date | undefined, Date>
    version: Generated<number>
    wonMachines: Generated<number>
    wonNetFen: Generated<number>
    wonMeanFen: number | null
    sealedContact: Buffer | null
    wonRentFen: Generated<number>
    acceptedAt: ColumnType<string | null, Date | null | undefined, Date | null>
    drafted: Generated<boolean>
    samePhone: Generated<number[]>
    putOffAt: ColumnType<string | null, Date | null | undefined, Date | null>
  }
  quoteLine: {
    id: GeneratedAlways<number>
    quoteId: number
    demandItemId: number
    qty: number
    unitPriceFen: number
    rentUnit: RentUnit
    includesOperator: boolean
    includesFuel: boolean
    entryFeeFen: Generated<number>
    exitFeeFen: Generated<number>
    erectionFeeFen: Generated<number>
    inspectionFeeFen: Generated<number>
    otherFeeFen: Generated<number>
    taxRate: 13 | 9 | 6 | 3 | 1 | 0
    invoiceKind: 'special' | 'plain'
    minRentDays: Generated<number>
    earliestEntry: string
    deviation: Generated<string>
    ceilingReason: Generated<string>
    promisesRenewal: Generated<boolean>
  }
  quoteLineEquipment: {
    quoteLineId: number
    equipmentId: number
    qty: number
  }
  recoveryCode: {
    accountId: number
    codeHash: Buffer
  }
  region: {
    code: number
    parentCode: number | null
    name: string
    level: number
    lat: number | null
    lng: number | null
    nameEn: Generated<string>
  }
  reminder: {
    subject: string
    subjectId: number
    paper: string
    validTo: string
    threshold: number
    at: ColumnType<string, Date, Date>
  }
  savedSearch: {
    id: GeneratedAlways<number>
    accountId: number
    list: 'equipment' | 'demand'
    name: string
    query: string
    alert: Generated<boolean>
    checkedAt: ColumnType<string, Date, Date>
    createTime: ColumnType<string, Date, Date>
  }
  savedView: {
    id: GeneratedAlways<number>
    accountId: number
    list: string
    name: string
    query: string
    hidden: string[]
    createTime: ColumnType<string, Date, Date>
  }
  secondFactor: {
    accountId: number
    secretSealed: Buffer
    createdAt: ColumnType<string, Date, Date>
    confirmedAt: ColumnType<string | null, Date | null | undefined, Date | null>
    lastStep: Generated<number>
  }
  session: {
    tokenHash: Buffer
    accountId: number
    createdAt: ColumnType<string, Date, Date>
    expiresAt: ColumnType<string, Date, Date>
    address: Generated<string>
    agent: Generated<string>
    id: GeneratedAlways<number>
    deptId: number | null
    deviceHash: Buffer | null
  }
  setting: {
    key: string
    value: ColumnType<unknown, string, string>
    updatedAt: ColumnType<string, Date | undefined, Date>
  }
  signIn: {
    id: GeneratedAlways<number>
    accountId: number
    at: ColumnType<string, Date, Date>
    way: 'password' | 'sms' | 'register' | 'switch'
    succeeded: boolean
    address: Generated<string>
    agent: Generated<string>
  }
  signInTicket: {
    tokenHash: Buffer
    accountId: number
    way: 'password' | 'sms'
    tries: Generated<number>
    expiresAt: ColumnType<string, Date, Date>
  }
  smsCode: {
    id: GeneratedAlways<number>
    phonenumber: Generated<string>
    type: 'login' | 'register' | 'forget' | 'phone' | 'cancel' | 'sign'
    answerHash: Buffer
    address: Generated<string>
    tries: Generated<number>
    createdAt: ColumnType<string, Date, Date>
    expiresAt: ColumnType<string, Date, Date>
    usedAt: ColumnType<string | null, Date | null | undefined, Date | null>
    phoneHash: Buffer | null
    requester: Buffer | null
    byOwner: Generated<boolean>
    about: Buffer | null
  }
}
