/* Every player's hand against every dealer's hand, three cards each: the plain nested loop.
 * Prints the total net result of the best play in units of the ante over all 407,170,400 deals
 * (ante bonus 5, 4, 1), and the seconds it took. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { HANDS = 22100, WIDTH = 13 * 13 * 13, QUEEN_HIGH = 10 * 169 };

static uint64_t cards[HANDS];
static int value[HANDS];

static int rank3(int a, int b, int c) {
    int x = a >> 2, y = b >> 2, z = c >> 2, t; /* ascending, since cards are rank * 4 + suit */
    int suited = (a & 3) == (b & 3) && (b & 3) == (c & 3);
    if (x > y) { t = x; x = y; y = t; }
    if (y > z) { t = y; y = z; z = t; }
    if (x > y) { t = x; x = y; y = t; }
    if (x == z) return 4 * WIDTH + z;
    if (x == y || y == z) return WIDTH + y * 13 + (x == y ? z : x);
    int wheel = x == 0 && y == 1 && z == 12;
    if (z - x == 2 || wheel) return (suited ? 5 : 3) * WIDTH + (wheel ? 1 : z);
    return (suited ? 2 : 0) * WIDTH + z * 169 + y * 13 + x;
}

int main(void) {
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    int n = 0;
    for (int a = 0; a < 52; a++)
        for (int b = a + 1; b < 52; b++)
            for (int c = b + 1; c < 52; c++, n++) {
                cards[n] = 1ULL << a | 1ULL << b | 1ULL << c;
                value[n] = rank3(a, b, c);
            }
    int64_t total = 0, deals = 0;
    for (int i = 0; i < HANDS; i++) {
        int64_t won = 0, seen = 0;
        int mine = value[i];
        uint64_t held = cards[i];
        for (int j = 0; j < HANDS; j++) {
            if (held & cards[j]) continue;
            seen++;
            int other = value[j];
            if (other < QUEEN_HIGH) won += 1;
            else if (other < mine) won += 2;
            else if (other > mine) won -= 2;
        }
        int kind = mine / WIDTH;
        int bonus = kind == 5 ? 5 : kind == 4 ? 4 : kind == 3 ? 1 : 0;
        won += bonus * seen;
        total += won > -seen ? won : -seen;
        deals += seen;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (end.tv_sec - start.tv_sec) + (end.tv_nsec - start.tv_nsec) / 1e9;
    printf("%lld %lld %.6f\n", (long long)total, (long long)deals, seconds);
    return 0;
}
