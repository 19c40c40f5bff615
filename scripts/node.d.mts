export declare const root: string
export declare const serverFlags: readonly string[]
export declare const serverEnvironment: Readonly<Record<string, string>>
export declare function projectNode(): string
