declare module "virtual:openings" {
    /** Lines of position, code and name, packed by gzip, in base64. */
    const packed: string;
    export default packed;
}
